package source

// guessed is a canonical column and what files call it in words that are no alias: a name
// that holds one of the words, the most telling first, is taken for it, if its values can be.
type guessed struct {
	to    string
	words []string // as normalise leaves them
	not   []string // words that make it something else
	fits  func(valueShape) bool
}

// guessWords are the words by which unknown tables are read, in English and Chinese. They only
// suggest a mapping; nothing is read by them.
var guessWords = map[Role][]guessed{
	Charges: {
		{"vendor_request_id", []string{"上游请求", "响应id", "responseid", "upstreamrequest", "generationid", "receipt"}, nil, isText},
		{"request_id", []string{"请求id", "请求编号", "请求标识", "requestid", "请求号", "调用id", "任务id", "traceid", "requestno", "reqid", "correlation"}, nil, isText},
		{"charge_id", []string{"账单号", "账单id", "账单编号", "订单号", "计费id", "流水号", "交易号", "单号", "billid", "billno", "chargeid", "orderid", "orderno", "recordid", "transaction", "序号"}, []string{"请求", "request"}, isText},
		{"charged_at", []string{"消费时间", "计费时间", "扣费时间", "账单时间", "调用时间", "请求时间", "使用时间", "结束时间", "完成时间", "时间", "日期", "usagetime", "billingtime", "chargetime", "timestamp", "datetime", "date", "time", "when", "created"}, []string{"耗时", "时长", "duration", "elapsed", "latency", "timeout", "times", "runtime"}, isMoment},
		{"amount", []string{"应付金额", "应付", "实付金额", "实付", "扣费金额", "消费金额", "费用", "金额", "扣费", "花费", "amount", "cost", "spend", "fee", "charge", "price", "paid", "total", "eur", "usd", "cny"}, []string{"优惠", "折扣", "单价", "税", "余额", "原价", "unit", "discount", "tax", "balance", "list", "token", "chargeid", "billid", "costid", "feeid", "type"}, isQuantity},
		{"currency", []string{"币种", "货币", "currency"}, nil, isText},
		{"unit_price", []string{"单价", "unitprice", "priceper", "rate"}, nil, isQuantity},
		{"cached_input_tokens", []string{"缓存命中", "命中缓存", "缓存读", "cachehit", "cacheread", "cached", "缓存"}, []string{"写", "write", "未命中", "miss"}, isQuantity},
		{"reasoning_tokens", []string{"推理token", "思考", "reasoning", "thinking"}, nil, isQuantity},
		{"input_tokens", []string{"输入token", "输入", "提示词", "prompt", "input", "tokensin", "intokens"}, []string{"缓存", "cache", "单价", "price", "cost"}, isQuantity},
		{"output_tokens", []string{"输出token", "输出", "生成token", "completion", "output", "tokensout", "outtokens"}, []string{"单价", "price", "cost"}, isQuantity},
		{"model", []string{"模型名称", "模型", "model", "engine"}, []string{"类型", "type"}, isText},
		{"provider", []string{"供应商", "服务商", "厂商", "平台", "vendor", "provider"}, nil, isText},
		{"api_key", []string{"apikey", "密钥", "令牌名称", "keyname", "tokenname"}, nil, isText},
		{"finish_reason", []string{"结束原因", "停止原因", "finishreason", "stopreason"}, nil, isText},
	},
	Attempts: {
		{"vendor_request_id", []string{"上游请求", "响应id", "responseid", "upstreamrequest", "generationid", "receipt"}, nil, isText},
		{"request_id", []string{"请求id", "请求编号", "请求标识", "requestid", "请求号", "调用id", "任务id", "traceid", "requestno", "reqid", "correlation"}, nil, isText},
		{"attempt", []string{"第几次", "尝试次数", "重试次数", "尝试", "attempt", "retryno", "retries"}, []string{"max", "最大"}, isQuantity},
		{"started_at", []string{"开始时间", "发起时间", "starttime", "startedat", "started", "begin"}, nil, isMoment},
		{"ended_at", []string{"结束时间", "完成时间", "endtime", "finished", "ended"}, nil, isMoment},
		{"ts", []string{"时间", "日期", "timestamp", "datetime", "logtime", "time", "date", "when"}, []string{"耗时", "时长", "duration", "elapsed", "latency", "timeout", "times"}, isMoment},
		{"elapsed_ms", []string{"耗时", "用时", "时长", "延迟", "duration", "elapsed", "latency", "took", "responsetime"}, nil, isQuantity},
		{"http_status", []string{"状态码", "返回码", "httpstatus", "httpcode", "statuscode", "responsecode"}, nil, isQuantity},
		{"outcome", []string{"结果", "outcome", "result"}, nil, isText},
		{"status", []string{"状态", "status", "state"}, nil, isAny},
		{"reason", []string{"失败原因", "错误", "异常", "error", "exception", "reason"}, nil, isAny},
		{"input_tokens", []string{"输入token", "输入", "提示词", "prompttoken", "input", "tokensin", "intokens"}, []string{"缓存", "cache"}, isQuantity},
		{"output_tokens", []string{"输出token", "输出", "生成token", "completion", "output", "tokensout", "outtokens"}, nil, isQuantity},
		{"model", []string{"模型名称", "模型", "model", "engine"}, []string{"类型", "type"}, isText},
		{"provider", []string{"供应商", "服务商", "厂商", "平台", "vendor", "provider"}, nil, isText},
		{"api_key", []string{"apikey", "密钥", "令牌名称", "keyname", "tokenname"}, nil, isText},
	},
	Bills: {
		{"period_start", []string{"账期", "计费周期", "月份", "账单日期", "使用日期", "消费时间", "日期", "月", "servicedate", "usagedate", "billingperiod", "period", "month", "date", "day", "from"}, []string{"结束", "due", "end", "invoicedate", "issued"}, isSpan},
		{"period_end", []string{"结束", "periodend", "until"}, nil, isSpan},
		{"amount", []string{"应付金额", "应付", "实付金额", "实付", "消费金额", "费用", "金额", "花费", "amount", "cost", "spend", "fee", "charge", "paid", "total", "eur", "usd", "cny"}, []string{"优惠", "折扣", "单价", "税", "余额", "原价", "unit", "discount", "tax", "balance", "list", "token", "chargeid", "type"}, isQuantity},
		{"currency", []string{"币种", "货币", "currency"}, nil, isText},
		{"unit_price", []string{"单价", "unitprice", "priceper", "rate"}, nil, isQuantity},
		{"quantity", []string{"用量", "数量", "quantity", "usage", "tokens", "units"}, []string{"单价", "price", "cost", "date", "type"}, isQuantity},
		{"requests", []string{"请求数", "调用次数", "requests", "calls"}, nil, isQuantity},
		{"token_type", []string{"计费项", "token类型", "tokentype", "meter"}, nil, isText},
		{"model", []string{"模型名称", "模型", "model", "engine"}, []string{"类型", "type"}, isText},
		{"provider", []string{"供应商", "服务商", "厂商", "平台", "vendor", "provider", "supplier"}, nil, isText},
		{"api_key", []string{"apikey", "密钥", "令牌名称", "keyname", "tokenname"}, nil, isText},
	},
}

// monthLayouts are ways of writing a month.
var monthLayouts = []string{"%Y年%m月", "%Y/%m", "%m/%Y", "%m.%Y", "%b %Y", "%b-%Y"}

// scaleWords are what names say of a unit, with the scale that makes ours of it.
var scaleWords = []struct {
	word, scale string
	fits        func(column string) bool
}{
	{"毫秒", "", isDuration}, {"微秒", "0.001", isDuration}, {"纳秒", "0.000001", isDuration}, {"秒", "1000", isDuration},
	{"分钟", "60000", isDuration}, {"millis", "", isDuration}, {"micros", "0.001", isDuration}, {"nanos", "0.000001", isDuration}, {"second", "1000", isDuration}, {"sec", "1000", isDuration},
	{"微元", "0.000001", isMoney}, {"毫元", "0.001", isMoney}, {"厘", "0.001", isMoney}, {"分", "0.01", isMoney}, {"cents", "0.01", isMoney}, {"micro", "0.000001", isMoney}, {"millionth", "0.000001", isMoney},
	{"千token", "1000", isTokens}, {"ktoken", "1000", isTokens}, {"万token", "10000", isTokens},
}

// guessLayouts are ways of writing a time that are not read without being told.
var guessLayouts = []string{
	"%Y年%m月%d日 %H:%M:%S", "%Y年%m月%d日%H:%M:%S", "%Y年%m月%d日 %H时%M分%S秒", "%Y年%m月%d日%H时%M分%S秒", "%Y年%m月%d日",
	"%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y.%m.%d %H:%M:%S", "%Y.%m.%d %H:%M", "%Y.%m.%d", "%Y%m%d %H:%M:%S", "%Y%m%d%H%M%S", "%Y%m%d",
	"%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y", "%d/%m/%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%d/%m/%Y", "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M", "%m/%d/%Y",
	"%m/%d/%Y %I:%M:%S %p", "%m/%d/%Y, %I:%M:%S %p", "%m/%d/%Y %I:%M %p", "%m/%d/%y %H:%M", "%d/%m/%y %H:%M", "%d-%b-%Y %H:%M:%S", "%d %b %Y %H:%M:%S", "%d %b %Y", "%b %d, %Y %H:%M:%S", "%b %d, %Y",
	"%a, %d %b %Y %H:%M:%S %Z", "%a, %d %b %Y %H:%M:%S %z", "%d/%b/%Y:%H:%M:%S %z", "%a %b %d %H:%M:%S %Y",
}
