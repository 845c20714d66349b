-- macros: how one text becomes an id, a count, an amount, a time or a model's name.
--
-- Why:    everything is read as text and cast only after a pattern has accepted it; a
--         bare cast rounds ('1.5' to 2), reads hex, drops offsets and guesses.
-- Reads:  nothing
-- Writes: macros only
-- Grain:  none
-- Units:  times UTC TIMESTAMP, money DECIMAL(38,12), durations in ms
-- Params: none
-- Rule:   design section 2, "Text first"
-- Look at: testdata/queries/src_attempts, testdata/queries/src_charges

-- A text that says nothing is missing. No such word is longer than nine letters, and each begins
-- with n, u or a dash, so most texts are passed without a closer look.
CREATE OR REPLACE MACRO says_something(x) AS
    (x >= '1' AND x < 'N' OR x >= 'O' AND x < 'U' OR x >= 'V' AND x < 'n' OR x >= 'o' AND x < 'u' OR x >= 'v') AND NOT suffix(x, ' ') AND NOT suffix(x, chr(9));
CREATE OR REPLACE MACRO known_text(x) AS
    CASE WHEN x IS NULL THEN NULL
         WHEN says_something(x) OR x > '!' AND length(x) > 9 AND right(x, 1) > ' ' THEN x
         WHEN lower(trim(x, ' ' || chr(9))) IN ('', '-', 'none', 'null', 'n/a', 'nil', 'undefined') THEN NULL
         ELSE trim(x, ' ' || chr(9)) END;

-- So does an id of zeros only, with or without dashes: a default that was never filled.
CREATE OR REPLACE MACRO known_id(x) AS
    CASE WHEN x IS NULL THEN NULL
         WHEN says_something(x) OR x > '1' AND length(x) > 9 AND right(x, 1) > ' ' THEN x
         WHEN lower(trim(x, ' ' || chr(9))) IN ('', '-', 'none', 'null', 'n/a', 'nil', 'undefined')
           OR regexp_full_match(trim(x, ' ' || chr(9)), '[0-]+') THEN NULL
         ELSE trim(x, ' ' || chr(9)) END;

-- A whole number of things. 1200 and 1200.0 are; 1.5, -1, 0x1F and NaN are not. (Lengths are
-- tested apart: a pattern that counts up to 15 costs more to build than a small file to read.
-- Fifteen digits are more than anything here can count, and leave room to multiply.)
CREATE OR REPLACE MACRO as_count(x) AS
    CASE WHEN length(x) > 40 THEN NULL
         WHEN regexp_full_match(x, '[0-9]+') THEN CASE WHEN length(x) <= 15 THEN TRY_CAST(x AS BIGINT) END
         WHEN regexp_full_match(x, '[0-9]+\.0*') THEN CASE WHEN length(split_part(x, '.', 1)) <= 15 THEN TRY_CAST(split_part(x, '.', 1) AS BIGINT) END
    END;

-- A decimal number without a sign, times a unit, in whole ones; what is less than one is cut off. By
-- its digits: a product of wide DECIMALs is rounded down a hundred times slower. More than twelve
-- decimals are a DOUBLE's, which are rounded first (0.29999999999999999 is 0.3).
CREATE OR REPLACE MACRO whole_units(x, unit) AS
    CASE WHEN length(split_part(x, '.', 2)) > 12 THEN CAST(floor(TRY_CAST(x AS DECIMAL(38,12)) * unit) AS BIGINT)
         ELSE TRY_CAST(split_part(x, '.', 1) AS BIGINT) * unit + TRY_CAST(rpad(split_part(x, '.', 2), 12, '0') AS BIGINT) * unit // 1000000000000 END;

-- Milliseconds. A number is in the unit given in ms; a unit in the text wins over it. A text
-- of more than fifteen digits in a row before the point is no duration, and nothing overflows.
CREATE OR REPLACE MACRO as_duration_ms(x, unit_ms) AS
    CASE WHEN length(x) > 24 THEN NULL
         WHEN regexp_full_match(x, '[0-9]+') THEN CASE WHEN length(x) <= 15 THEN TRY_CAST(x AS BIGINT) * unit_ms END
         WHEN length(regexp_extract(x, '^[0-9]+')) > 15 THEN NULL
         WHEN regexp_full_match(x, '[0-9]+\.[0-9]+') THEN whole_units(x, unit_ms)
         WHEN regexp_full_match(x, '[0-9]+(\.[0-9]+)? ?ms')
         THEN whole_units(rtrim(x, 'ms '), 1)
         WHEN regexp_full_match(x, '[0-9]+(\.[0-9]+)? ?s')
         THEN whole_units(rtrim(x, 's '), 1000)
         WHEN regexp_full_match(x, '[0-9]+(\.[0-9]+)? ?([uµμ]s|ns)')
         THEN CAST(floor(TRY_CAST(regexp_extract(x, '^[0-9.]+') AS DECIMAL(38,12)) / CASE WHEN suffix(x, 'ns') THEN 1000000 ELSE 1000 END) AS BIGINT)
         WHEN regexp_full_match(x, '[0-9]{1,9}h[0-9]{1,12}m[0-9]{1,12}(\.[0-9]+)?s')
         THEN TRY_CAST(split_part(x, 'h', 1) AS BIGINT) * 3600000 + TRY_CAST(regexp_extract(x, 'h([0-9]+)m', 1) AS BIGINT) * 60000
            + whole_units(rtrim(split_part(x, 'm', 2), 's'), 1000)
         WHEN regexp_full_match(x, '[0-9]{1,12}m[0-9]{1,12}(\.[0-9]+)?s')
         THEN TRY_CAST(split_part(x, 'm', 1) AS BIGINT) * 60000
            + whole_units(rtrim(split_part(x, 'm', 2), 's'), 1000)
    END;

-- An exact amount of at most twelve decimals and fifteen digits before them, so that any sum
-- of them fits; trailing zeros beyond them are harmless.
-- With an exponent the decimals of both parts count together, so that 1e-7 is an amount
-- and nothing is rounded. Nearly all amounts are short: fourteen characters hold no more than
-- twelve decimals, and a narrow DECIMAL is read four times as fast; what it does not hold is NULL there.
CREATE OR REPLACE MACRO as_money(x) AS
    CASE WHEN length(x) > 80 THEN NULL
         WHEN length(x) <= 14 AND regexp_full_match(x, '[0-9]+(\.[0-9]+)?')
         THEN coalesce(CAST(TRY_CAST(x AS DECIMAL(18,12)) AS DECIMAL(38,12)), TRY_CAST(x AS DECIMAL(38,12)))
         WHEN regexp_full_match(x, '[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)')
         THEN CASE WHEN length(rtrim(split_part(x, '.', 2), '0')) <= 12 AND length(ltrim(split_part(x, '.', 1), '+-0')) <= 15
                   THEN coalesce(CAST(TRY_CAST(x AS DECIMAL(18,12)) AS DECIMAL(38,12)), TRY_CAST(x AS DECIMAL(38,12))) END
         WHEN regexp_full_match(x, '[+-]?[0-9]+(\.[0-9]+)?[eE][+-]?[0-9]+')
          AND length(x) <= 30
          AND length(regexp_extract(x, '\.([0-9]+)', 1))
              - TRY_CAST(regexp_extract(x, '[eE]([+-]?[0-9]+)', 1) AS INTEGER) <= 12
          AND TRY_CAST(regexp_extract(x, '[eE]([+-]?[0-9]+)', 1) AS INTEGER) <= 12
         THEN CASE WHEN abs(TRY_CAST(x AS DECIMAL(38,12))) < 1000000000000000 THEN TRY_CAST(x AS DECIMAL(38,12)) END
    END;

-- The text of a number with twelve decimals, of at most 26 digits before them. A narrow DECIMAL is written ten times as fast.
CREATE OR REPLACE MACRO decimal_text(x) AS
    coalesce(CAST(TRY_CAST(x AS DECIMAL(18,12)) AS VARCHAR), CAST(TRY_CAST(x AS DECIMAL(38,12)) AS VARCHAR));

-- An amount that was stored as a DOUBLE, by its shortest text: what has more than twelve
-- decimals there is rounded to twelve, which gives back the decimal that it was made from.
CREATE OR REPLACE MACRO double_money(x) AS
    CASE WHEN as_money(x) IS NULL THEN coalesce(decimal_text(x), x) ELSE x END;

-- The same as an amount, without the way through text.
CREATE OR REPLACE MACRO double_amount(x) AS
    coalesce(as_money(x), CAST(TRY_CAST(x AS DECIMAL(18,12)) AS DECIMAL(38,12)),
        CASE WHEN abs(TRY_CAST(x AS DECIMAL(38,12))) < 1000000000000000 THEN TRY_CAST(x AS DECIMAL(38,12)) END);

-- A duration under a name without a unit counts only where the value carries one.
CREATE OR REPLACE MACRO carrying_unit(x) AS CASE WHEN regexp_full_match(x, '[0-9.].*[A-Za-z]') THEN x END;

CREATE OR REPLACE MACRO as_flag(x) AS
    CASE WHEN lower(x) IN ('true', 't', '1', 'yes', 'y') THEN true
         WHEN lower(x) IN ('false', 'f', '0', 'no', 'n') THEN false END;

-- Unix time in whole microseconds, from its digits: those before the point tell the unit.
CREATE OR REPLACE MACRO unix_time(whole, decimals) AS
    CASE WHEN length(whole) = 10 THEN make_timestamp(TRY_CAST(whole AS BIGINT) * 1000000 + TRY_CAST(rpad(decimals, 6, '0') AS BIGINT))
         WHEN length(whole) = 13 THEN make_timestamp(TRY_CAST(whole AS BIGINT) * 1000 + TRY_CAST(rpad(decimals, 3, '0') AS BIGINT))
         WHEN decimals <> '' THEN NULL
         WHEN length(whole) = 16 THEN make_timestamp(TRY_CAST(whole AS BIGINT))
         WHEN length(whole) = 19 THEN make_timestamp(TRY_CAST(whole AS BIGINT) // 1000)
    END;

-- A moment in UTC. Without an offset the text is taken to be in zone. A bare number is
-- Unix time, its unit told by its length.
CREATE OR REPLACE MACRO as_time(x, zone) AS
    CASE WHEN length(x) > 48 THEN NULL
         WHEN regexp_full_match(x, '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z')
         THEN TRY_CAST(x AS TIMESTAMP)
         WHEN regexp_full_match(x, '[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?)?')
         THEN CASE WHEN zone = 'UTC' THEN TRY_CAST(replace(replace(x, '/', '-'), ',', '.') AS TIMESTAMP)
                   ELSE CAST(timezone(zone, TRY_CAST(replace(replace(x, '/', '-'), ',', '.') AS TIMESTAMP)) AS TIMESTAMP) END
         WHEN regexp_full_match(x, '[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)? ?(Z|UTC|[+-](0[0-9]|1[0-4]):?([0-5][0-9])?)')
         THEN CAST(TRY_CAST(regexp_replace(replace(regexp_replace(replace(x, '/', '-'), ' ?(UTC|Z)$', 'Z'), ',', '.'),
                   ' ?([+-][0-9]{2}):?([0-9]{2})$', '\1:\2') AS TIMESTAMPTZ) AS TIMESTAMP)
         WHEN regexp_full_match(x, '[0-9]+(\.[0-9]+)?') THEN unix_time(split_part(x, '.', 1), split_part(x, '.', 2))
    END;

-- What a change of the clocks makes doubtful: a local time that they skip, or one that they
-- show twice. The clocks of a zone change by an hour, on Lord Howe by half of one. Only days
-- of change are looked at (clock_change_days: those of all zones that a file can be in).
CREATE OR REPLACE MACRO local_doubt(l, zone) AS
    CASE WHEN timezone(zone, timezone(zone, l)) <> l THEN 'skipped'
         WHEN timezone(zone, timezone(zone, l) + INTERVAL 1 HOUR) = l OR timezone(zone, timezone(zone, l) - INTERVAL 1 HOUR) = l
           OR timezone(zone, timezone(zone, l) + INTERVAL 30 MINUTE) = l OR timezone(zone, timezone(zone, l) - INTERVAL 30 MINUTE) = l
         THEN 'repeated' END;
CREATE OR REPLACE MACRO clocks_change_on(day) AS
    coalesce(list_contains(string_split(getvariable('clock_change_days'), ','), day), false);
CREATE OR REPLACE MACRO clock_doubt(x, zone) AS
    CASE WHEN NOT clocks_change_on(replace(left(x, 10), '/', '-')) THEN NULL
         WHEN length(x) <= 48 AND regexp_full_match(x, '[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?')
         THEN local_doubt(TRY_CAST(replace(replace(x, '/', '-'), ',', '.') AS TIMESTAMP), zone) END;

-- The name under which two spellings of one model meet: without the vendor's path, the
-- variant, the date and "-latest". openai/gpt-x-0813:free and gpt-x are one.
CREATE OR REPLACE MACRO model_key(x) AS
    CASE WHEN x IS NULL THEN NULL
         WHEN regexp_full_match(x, '[a-z][a-z.]*(-[a-z][a-z0-9.]*)*') AND NOT suffix(x, '-latest') THEN x
         ELSE regexp_replace(regexp_replace(regexp_replace(lower(x), '^.*/', ''), ':[a-z0-9-]+$', ''),
              '(-latest|[-@](20[0-9]{2}-?(0[1-9]|1[0-2])-?(0[1-9]|[12][0-9]|3[01])|(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])))$', '')
    END;

-- Whole milliseconds from b to a.
CREATE OR REPLACE MACRO ms_between(b, a) AS (epoch_us(a) - epoch_us(b)) // 1000;

CREATE OR REPLACE MACRO plus_ms(t, ms) AS t + to_microseconds(CAST(ms AS BIGINT) * 1000);

-- How far a moment lies from a stamp that is so many ms wide: 0 if it lies in it.
CREATE OR REPLACE MACRO ms_from_stamp(t, stamp, width_ms) AS
    greatest(ms_between(t, stamp), ms_between(stamp, t) - width_ms, 0);

-- Days, by UTC. What is measured of one day holds for others as far as 31 days away.
CREATE OR REPLACE MACRO day_of(t) AS CAST(t AS DATE);
CREATE OR REPLACE MACRO month_of(d) AS CAST(date_trunc('month', d) AS DATE);
CREATE OR REPLACE MACRO near(a, b) AS coalesce(abs(a - b) <= 31, false);

-- An id as a number, for tables that only look for it. Another version of DuckDB may number otherwise:
-- a database notes a sample, and reconciles everything where that differs.
CREATE OR REPLACE MACRO id_number(kind, id) AS hash(kind, id);

-- Two values agree unless both are known and differ.
CREATE OR REPLACE MACRO agrees(a, b) AS coalesce(a = b, true);

-- A setting of this run, as a number.
CREATE OR REPLACE MACRO setting(name) AS CAST(getvariable(name) AS BIGINT);

-- A duration sticks to a timeout of t ms if it ends within two per cent or half a second
-- after it: timers fire late, never early.
CREATE OR REPLACE MACRO sticks_to(elapsed, t) AS
    coalesce(elapsed >= t AND elapsed <= greatest(t + 500, t * 51 // 50), false);

-- Whether a duration sticks to any configured read timeout.
CREATE OR REPLACE MACRO near_timeout(elapsed) AS
    len(list_filter(CAST(string_split(coalesce(getvariable('read_timeouts_ms'), '0'), ',') AS BIGINT[]),
        lambda t: t > 0 AND sticks_to(elapsed, t))) > 0;

-- Times that can be true: since 2015, and at most two days ahead of the run's clock.
CREATE OR REPLACE MACRO in_time(t) AS
    coalesce(t BETWEEN TIMESTAMP '2015-01-01' AND CAST(getvariable('now') AS TIMESTAMP) + INTERVAL 2 DAY, true);

-- What is said of a value that no pattern accepts.
CREATE OR REPLACE MACRO shown(x) AS
    CASE WHEN length(x) > 60 THEN substr(x, 1, 60) || '…' ELSE x END;
CREATE OR REPLACE MACRO not_a_count(x) AS
    'found "' || shown(x) || '", expected a whole number that is not negative, of at most 15 digits';
CREATE OR REPLACE MACRO not_a_duration(x) AS
    'found "' || shown(x) || '", expected a duration that is not negative (milliseconds, or with a unit: 30s)';
CREATE OR REPLACE MACRO not_a_time(x) AS
    'found "' || shown(x) || '", expected a time such as 2026-11-03T10:00:30.000Z, or Unix time in s, ms, us or ns (10, 13, 16 or 19 digits)';
CREATE OR REPLACE MACRO out_of_time(x) AS
    'found "' || shown(x) || '", expected a time from 2015 to two days from now';
CREATE OR REPLACE MACRO not_an_amount(x) AS
    'found "' || shown(x) || '", expected an amount such as 0.00412: a decimal point (decimal=comma in --map reads commas), at most 12 decimals and 15 digits before them';
CREATE OR REPLACE MACRO not_one_of(x, list) AS
    'found "' || shown(x) || '", expected one of ' || list;

-- The whole content of a row, so that two rows can be told to be the same.
CREATE OR REPLACE MACRO content_of(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q := NULL, r := NULL,
        s := NULL, t := NULL, u := NULL, v := NULL, w := NULL, x := NULL, y := NULL) AS
    md5_number(CAST(to_json([CAST(a AS VARCHAR), CAST(b AS VARCHAR), CAST(c AS VARCHAR), CAST(d AS VARCHAR),
        CAST(e AS VARCHAR), CAST(f AS VARCHAR), CAST(g AS VARCHAR), CAST(h AS VARCHAR), CAST(i AS VARCHAR),
        CAST(j AS VARCHAR), CAST(k AS VARCHAR), CAST(l AS VARCHAR), CAST(m AS VARCHAR), CAST(n AS VARCHAR),
        CAST(o AS VARCHAR), CAST(p AS VARCHAR), CAST(q AS VARCHAR), CAST(r AS VARCHAR), CAST(s AS VARCHAR),
        CAST(t AS VARCHAR), CAST(u AS VARCHAR), CAST(v AS VARCHAR), CAST(w AS VARCHAR), CAST(x AS VARCHAR), CAST(y AS VARCHAR)]) AS VARCHAR));

-- Money as text: exact, without trailing zeros; '' is unknown. Below a million a narrow DECIMAL
-- holds it, which is written four times as fast.
CREATE OR REPLACE MACRO money_digits(x) AS
    coalesce(CAST(TRY_CAST(CAST(x AS DECIMAL(38,12)) AS DECIMAL(18,12)) AS VARCHAR), CAST(CAST(x AS DECIMAL(38,12)) AS VARCHAR));
CREATE OR REPLACE MACRO money_text(x) AS
    coalesce(rtrim(rtrim(money_digits(x), '0'), '.'), '');

-- How many charges the lines make up for which cond holds. A line that is alone in its charge
-- counts by itself; only the rest need comparing.
CREATE OR REPLACE MACRO count_charges(charge_no, alone, cond) AS
    count(*) FILTER (WHERE alone AND cond) + count(DISTINCT charge_no) FILTER (WHERE NOT alone AND cond);

-- A time as RFC 3339 in UTC; the fraction only where there is one.
CREATE OR REPLACE MACRO time_text(t) AS
    CASE WHEN t IS NULL THEN ''
         WHEN epoch_us(t) % 1000000 = 0 THEN strftime(t, '%Y-%m-%dT%H:%M:%SZ')
         WHEN epoch_us(t) % 1000 = 0 THEN strftime(t, '%Y-%m-%dT%H:%M:%S.%gZ')
         ELSE strftime(t, '%Y-%m-%dT%H:%M:%S.%fZ') END;

-- Text from the data for a CSV file: a spreadsheet that opens it must not take it for a
-- formula. Numbers with a sign, and ids of letters, digits, dot, dash and underscore, stay as they are. letter.Cell is the same in Go.
CREATE OR REPLACE MACRO cell_text(x) AS
    CASE WHEN x >= 'A' OR (x >= '0' AND x < ':') THEN x -- nearly all: it begins with a digit or a letter
         WHEN x IS NULL THEN NULL
         WHEN left(x, 1) IN ('=', '@', chr(9), chr(13)) OR (left(x, 1) IN ('+', '-') AND NOT regexp_full_match(x, '[+-][A-Za-z0-9_.-]*'))
         THEN '''' || x ELSE x END;

-- Money in whole 1e-12 units and back, for the one thing that DECIMAL cannot do exactly:
-- a division (DECIMAL / BIGINT is a DOUBLE). Rounds half away from zero.
CREATE OR REPLACE MACRO money_units(x) AS CAST(replace(money_digits(x), '.', '') AS HUGEINT);
CREATE OR REPLACE MACRO units_text(h) AS
    CASE WHEN h < 0 THEN '-' ELSE '' END
      || CASE WHEN length(CAST(abs(h) AS VARCHAR)) > 12 THEN left(CAST(abs(h) AS VARCHAR), -12) ELSE '0' END
      || '.' || right('000000000000' || CAST(abs(h) AS VARCHAR), 12);
CREATE OR REPLACE MACRO units_money(h) AS
    CASE WHEN abs(h) < 1000000000000000000 THEN CAST(CAST(units_text(CAST(h AS BIGINT)) AS DECIMAL(18,12)) AS DECIMAL(38,12)) ELSE CAST(units_text(h) AS DECIMAL(38,12)) END;
CREATE OR REPLACE MACRO money_per(x, n) AS
    CASE WHEN n > 0 THEN units_money((abs(money_units(x)) * 2 + n) // (2 * CAST(n AS HUGEINT)) * CASE WHEN x < 0 THEN -1 ELSE 1 END) END;

-- A ratio as a number; NULL where there is nothing to divide by.
CREATE OR REPLACE MACRO ratio(a, b) AS CASE WHEN b > 0 THEN round(CAST(a AS DOUBLE) / b, 6) END;

-- Input tokens with the cached ones inside, which is how all rules read them.
CREATE OR REPLACE MACRO whole_input(outside, input, cached) AS
    CASE WHEN outside THEN input + coalesce(cached, 0) ELSE input END;

-- What kind of id a receipt is: chatcmpl-… and req_… are two that one vendor may give.
CREATE OR REPLACE MACRO receipt_shape(x) AS length(x) || ' ' || regexp_extract(x, '^[A-Za-z]+[-_]');

-- A finish reason of completion: the answer ran to its end. Lower case; unknown is not.
CREATE OR REPLACE MACRO finished(x) AS
    coalesce(x IN ('stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'end_turn', 'max_tokens',
        'stop_sequence', 'tool_use', 'refusal', 'eos', 'complete', 'completed', 'max_output_tokens'), false);

-- A finish reason that says that the execution failed.
CREATE OR REPLACE MACRO broke_off(x) AS
    coalesce(x IN ('error', 'server_error', 'internal_error', 'failed', 'failure', 'timeout', 'interrupted', 'aborted', 'abort'), false);

-- The text of a JSON value that can be looked into; what is none is missing. Cells of a dump hold JSON as text.
CREATE OR REPLACE MACRO as_json(x) AS CASE WHEN json_valid(x) THEN x END;
-- (nullif would look into it twice.)
CREATE OR REPLACE MACRO json_text(x, path) AS
    CASE WHEN json_valid(x) THEN list_filter([json_extract_string(x, path)], lambda v: v <> '' AND v <> 'null')[1] END;
-- The texts at several places of it, in their order, for one look into it.
CREATE OR REPLACE MACRO json_texts(x, paths) AS
    CASE WHEN json_valid(x) THEN list_transform(json_extract_string(x, paths), lambda v: CASE WHEN v <> '' AND v <> 'null' THEN v END) END;

-- A time that is known to be UTC, whatever zone is said of times without one.
CREATE OR REPLACE MACRO utc_text(x) AS
    CASE WHEN regexp_full_match(x, '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?') THEN x || 'Z'
         WHEN regexp_full_match(x, '[0-9]{4}-[0-9]{2}-[0-9]{2}') THEN x || 'T00:00:00Z' ELSE x END;

-- The caller's own id among the tags that it gave a gateway, under the names that ids have. Other tags name no request.
CREATE OR REPLACE MACRO caller_id(tags) AS
    CASE WHEN json_valid(tags) THEN list_filter(json_extract_string(tags, ['$.request_id', '$.requestId', '$.client_request_id', '$.rid', '$.req_id', '$.call_id', '$.callId',
        '$.correlation_id', '$.trace_id', '$.traceId', '$.task_id']), lambda v: v <> '' AND v <> 'null')[1] END;
-- Where a record has no other id that groups tries, what the caller works on names them too.
CREATE OR REPLACE MACRO caller_tag(tags) AS coalesce(caller_id(tags), json_text(tags, '$.order_id'), json_text(tags, '$.orderId'), json_text(tags, '$.order'), json_text(tags, '$.job_id'), json_text(tags, '$.jobId'));

-- OpenTelemetry's list of attributes as a list of names and one of values, and the first value of a name.
CREATE OR REPLACE MACRO attributes_of(x) AS from_json(as_json(x), '[{"key":"VARCHAR","value":{"stringValue":"VARCHAR","intValue":"VARCHAR","doubleValue":"VARCHAR","boolValue":"VARCHAR","arrayValue":{"values":[{"stringValue":"VARCHAR"}]}}}]');
CREATE OR REPLACE MACRO attribute_names(list) AS list_transform(list, lambda a: a.key);
CREATE OR REPLACE MACRO attribute_values(list) AS
    list_transform(list, lambda a: coalesce(a.value.stringValue, a.value.intValue, a.value.doubleValue, a.value.boolValue, a.value.arrayValue.values[1].stringValue));
CREATE OR REPLACE MACRO attribute(names, vals, name) AS vals[list_position(names, name)];

-- Paths of HTTP requests that call a model.
CREATE OR REPLACE MACRO calls_a_model(path) AS
    coalesce(regexp_matches(path, '/(chat/)?completions|/responses|/messages|/embeddings|:(stream)?generateContent|/invoke|/converse'), false);

-- What a line of a bill is; NULL is none of these.
CREATE OR REPLACE MACRO bill_kind_of(x) AS
    CASE WHEN x IN ('usage', 'refund', 'credit', 'tax', 'adjustment') THEN x
         WHEN x IN ('consume', 'charge', 'regular') THEN 'usage'
         WHEN x IN ('discount', 'promotion', 'coupon') THEN 'credit'
         WHEN x IN ('vat', 'taxes') THEN 'tax'
         WHEN x IN ('correction', 'rounding_error', 'rounding', 'fee', 'purchase') THEN 'adjustment' END;

-- The kinds of token that are priced apart, under the names that vendors give them; others stay as they are.
CREATE OR REPLACE MACRO token_type_of(x) AS
    CASE WHEN lower(x) IN ('input', 'input_tokens', 'prompt', 'prompt_tokens', 'input_no_cache', 'uncached_input', 'uncached_input_tokens', 'input_uncached_tokens', 'input_cache_miss_tokens') THEN 'input'
         WHEN lower(x) IN ('cached_input', 'cached_input_tokens', 'input_cached_tokens', 'cached_tokens', 'cache_read', 'cache_read_input_tokens', 'input_cache_read', 'input_cache_hit_tokens') THEN 'cached_input'
         WHEN lower(x) IN ('cache_write', 'cache_write_tokens', 'input_cache_write_tokens', 'cache_creation_input_tokens', 'input_cache_write') THEN 'cache_write'
         WHEN lower(x) IN ('output', 'output_tokens', 'completion', 'completion_tokens') THEN 'output'
         WHEN lower(x) IN ('reasoning', 'reasoning_tokens', 'output_reasoning_tokens') THEN 'reasoning'
         WHEN lower(x) IN ('requests', 'request', 'request_count', 'num_model_requests', 'api_requests') THEN 'requests'
         ELSE lower(x) END;

-- How many decimals the smallest unit of a currency has.
CREATE OR REPLACE MACRO minor_decimals(currency) AS
    CASE WHEN currency IN ('JPY', 'KRW', 'VND', 'CLP', 'ISK', 'PYG', 'UGX', 'XAF', 'XOF') THEN 0
         WHEN currency IN ('KWD', 'BHD', 'OMR', 'JOD', 'TND') THEN 3 ELSE 2 END;
-- So many things in words: 1 charge line has, 2 charge lines have.
CREATE OR REPLACE MACRO counted(n, one, many) AS CAST(n AS BIGINT) || ' ' || CASE WHEN n = 1 THEN one ELSE many END;

-- Under which name the totals of a provider stand beside those of all together, which are called all.
CREATE OR REPLACE MACRO party_of(provider) AS
    CASE WHEN provider = 'all' THEN 'all (provider)' ELSE coalesce(nullif(provider, ''), 'unknown') END;

-- The words and ids of a text, each with a blank before and behind it.
CREATE OR REPLACE MACRO words_of(x) AS ' ' || trim(regexp_replace(x, '[^A-Za-z0-9_-]+', ' ', 'g')) || ' ';

-- What a line that could not be read says, to tell it in another file. A record of a document shows its first line
-- alone, often a bracket: that tells nothing, and is like no other.
CREATE OR REPLACE MACRO reject_content(column_, reason, raw, file_no, line) AS
    md5(concat_ws(chr(10), column_, reason, CASE WHEN length(trim(raw)) < 3 THEN 'file ' || file_no || ' line ' || line ELSE coalesce(raw, 'line ' || line) END));
