-- fmt_bills: Alibaba Bailian's bill details (consumedetailbillv2.csv), sums for each minute, key, model and kind of token.
--
-- Why:    what Bailian bills; requests are summed away.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  应付金额（含税） is CNY; 用量 counts 千tokens, which are 1000. Times have no zone: none is promised, so --source-zone Asia/Shanghai says it
-- Params: none
-- Rule:   third-party readers of real exports. 实例ID is key;workspace;model;kind of token;…. A rounding row (抹零) is an adjustment; units that are no tokens have no quantity
-- Look at: testdata/formats/bailian-details
-- Format: bailian-details
-- Syntax: csv
-- Role:   bills
-- Signature: 标识信息/账单明细ID, 账单信息/费用类型, 账单信息/消费时间, 资源信息/实例ID（出账粒度）, 应付信息/应付金额（含税）
-- Columns: kind = 账单信息/费用类型, spent_at = 账单信息/消费时间, began = 账单信息/服务开始时间, ended = 账单信息/服务结束时间,
--         instance = 资源信息/实例ID（出账粒度）, used = 用量信息/用量, unit = 用量信息/用量单位, payable = 应付信息/应付金额（含税）, day = 账单信息/账单日期
INSERT INTO fmt_bills BY NAME
SELECT source_line, record_no, 'alibaba' AS provider, nullif(split_part(instance, ';', 1), '') AS api_key, nullif(split_part(instance, ';', 3), '') AS model,
    CASE WHEN instance LIKE '%\_input\_token%' ESCAPE '\' THEN 'input' WHEN instance LIKE '%\_output\_token%' ESCAPE '\' THEN 'output' END AS token_type,
    coalesce(began, spent_at, day) AS period_start, CASE WHEN began IS NOT NULL THEN ended END AS period_end,
    CASE WHEN unit = '千tokens' THEN coalesce(money_digits(as_money(used) * 1000), used) WHEN lower(unit) = 'tokens' THEN used END AS quantity,
    double_money(payable) AS amount, 'CNY' AS currency, CASE WHEN contains(kind, '抹零') THEN 'adjustment' WHEN contains(kind, '退款') THEN 'refund' ELSE 'usage' END AS kind, kind AS line_item
FROM raw_records;
