-- fail: billed = delivered + excess + undelivered + orphan + unsettled + adjustments, exactly, by book and currency
SELECT provider_book, currency, billed, delivered + excess + undelivered + orphan + unsettled + adjustments AS parts
FROM rpt_totals
WHERE billed <> delivered + excess + undelivered + orphan + unsettled + adjustments
