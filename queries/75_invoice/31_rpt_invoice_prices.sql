-- rpt_invoice_prices: the lines of the invoice whose unit price is not that of the others.
--
-- Why:    in a cell of several lines this tells which of them differs, and in one that rounding would excuse, that it does.
-- Reads:  int_invoice_prices
-- Writes: rpt_invoice_prices
-- Grain:  row_id
-- Units:  expected in currency, as many decimals as the invoice has; per_million the price that most lines agree on, as
--         short as they allow;
--         agree of lines lines have it
-- Params: none
-- Rule:   as int_invoice_prices
-- Look at: testdata/queries/rpt_invoice_prices/one_cent_more
CREATE OR REPLACE TABLE rpt_invoice_prices AS
SELECT * EXCLUDE (odd, checked) FROM int_invoice_prices WHERE odd;
