-- fmt_bills: Volcengine Ark's split bill (ark-cli, JSON), sums for each day or month and endpoint or key.
--
-- Why:    what Ark bills; requests are summed away.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  amounts are texts in Currency; PayableAmount = OriginalBillAmount - PreferentialAmount. Count is of Unit: 千tokens are 1000
-- Params: none
-- Rule:   volcengine/ark-cli arkcli-billing-list.md. BillingDate is empty where the interval is a month. Days have no zone: --source-zone says it
-- Look at: testdata/formats/ark-split-bill
-- Format: ark-split-bill
-- Syntax: csv, json
-- Role:   bills
-- Signature: BillPeriod, Product, SplitItemID, PayableAmount, Count, Unit
-- Columns: BillPeriod, BillingDate, SplitItemID, SplitItemName, Currency, PayableAmount, Count, Unit
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'volcengine' AS provider, SplitItemID AS api_key, coalesce(BillingDate, BillPeriod) AS period_start, double_money(PayableAmount) AS amount,
    Currency AS currency, SplitItemName AS line_item,
    CASE WHEN Unit = '千tokens' THEN coalesce(money_digits(as_money(Count) * 1000), Count) WHEN lower(Unit) = 'tokens' THEN Count END AS quantity
FROM raw_records;
