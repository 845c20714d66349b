-- fmt_bills: a FOCUS export (FinOps Open Cost and Usage Specification 1.0 to 1.3), a line for each charge period and SKU.
--
-- Why:    clouds and resellers bill in it; it has no request id.
-- Reads:  raw_records
-- Writes: fmt_bills
-- Grain:  record_no
-- Units:  BilledCost in BillingCurrency, which is the invoice's; EffectiveCost is not read. Times UTC, the end excluded. A unit of 1K tokens is 1000
-- Params: none
-- Rule:   FinOps-Open-Cost-and-Usage-Spec FOCUS_Spec. A Correction belongs to an earlier period: an adjustment. ProviderName or ServiceProviderName. Where ServiceCategory is there, only AI and Machine Learning is read. There is no column for tokens: the unit and the meter's name tell them
-- Look at: testdata/formats/focus-bill
-- Format: focus-bill
-- Syntax: csv, json
-- Role:   bills
-- Signature: ChargePeriodStart, ChargePeriodEnd, ChargeCategory, BilledCost, BillingCurrency
-- Columns: ChargePeriodStart, ChargePeriodEnd, ChargeCategory, ChargeClass, provider = ServiceProviderName or ProviderName, category = ServiceCategory, ServiceName, meter = SkuMeter,
--         ConsumedQuantity, unit = ConsumedUnit, BilledCost, BillingCurrency
INSERT INTO fmt_bills BY NAME
WITH scaled AS (
    SELECT *, CASE WHEN regexp_full_match(lower(unit), 'tokens?') THEN 1 WHEN regexp_full_match(lower(unit), '(1k|1,000|1000|thousand) tokens?') THEN 1000
        WHEN regexp_full_match(lower(unit), '(1m|1,000,000|1000000|million) tokens?') THEN 1000000 END AS scale
    FROM raw_records WHERE coalesce(category = 'AI and Machine Learning', true)
)
SELECT source_line, record_no, provider, utc_text(ChargePeriodStart) AS period_start, utc_text(ChargePeriodEnd) AS period_end, coalesce(meter, ServiceName) AS line_item,
    CASE WHEN scale IS NULL THEN NULL WHEN regexp_matches(lower(meter), 'cach.*(write|creat)') THEN 'cache_write' WHEN contains(lower(meter), 'cach') THEN 'cached_input'
         WHEN contains(lower(meter), 'output') THEN 'output' WHEN contains(lower(meter), 'input') THEN 'input' END AS token_type,
    CASE WHEN scale IS NOT NULL THEN coalesce(money_digits(double_amount(ConsumedQuantity) * scale), ConsumedQuantity) END AS quantity,
    double_money(BilledCost) AS amount, BillingCurrency AS currency,
    CASE WHEN ChargeClass = 'Correction' OR lower(ChargeCategory) NOT IN ('usage', 'tax', 'credit') THEN 'adjustment' ELSE lower(ChargeCategory) END AS kind
FROM scaled;
