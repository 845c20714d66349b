package alert

// vocabulary is the words of one language.
type vocabulary struct {
	titles, lead                 map[Condition]string
	verdicts, steps              map[string]string
	tax, taxShare, minute, fails string
	without                      string
	colon, comma, more, meaning  string
}

var english = vocabulary{
	titles: map[Condition]string{
		RunFails: "the run failed", ChecksFail: "checks failed", MissingInput: "input is missing", RetryTax: "retry tax",
		ErrorRate: "error rate", NewCause: "a new cause", NewProvider: "a new provider",
	},
	lead: map[Condition]string{
		RunFails:     "Could not be read",
		ChecksFail:   "The numbers contradict each other, no report was published",
		MissingInput: "Nothing new came from",
		NewCause:     "Paid for the first time and should not have been",
		NewProvider:  "Seen for the first time",
	},
	verdicts: map[string]string{
		"duplicate_line": "the same line billed twice", "not_billable": "billed, but never ran", "hedged": "a parallel copy that lost",
		"double_retry": "retries in two layers", "sdk_retry": "a hidden SDK retry", "partial_tokens": "a timeout, billed in part",
		"timeout_retry": "a timeout, billed in full", "server_error_retry": "failed, billed anyway",
	},
	steps:    map[string]string{"open": "opening the database", "ingest": "loading files", "reconcile": "reconciling", "report": "reporting"},
	tax:      "%s %s of %s %s settled since the night before should not have been paid%s; the limit is %s",
	taxShare: " (%s)",
	minute:   "At %s (%s) %d of %d attempts of one minute failed: %s; the limit is %s",
	fails:    "It failed while %s, with exit code %d. Its log says why; the next run goes on from the last good state",
	without:  "The rest was loaded and judged; exit code %d. Its log says why; the next run tries again",
	colon:    ": ", comma: ", ", more: " and %d more", meaning: " (%s)",
}

var chinese = vocabulary{
	titles: map[Condition]string{
		RunFails: "运行失败", ChecksFail: "校验未通过", MissingInput: "缺少输入", RetryTax: "重试税",
		ErrorRate: "错误率", NewCause: "新的重复付费原因", NewProvider: "新的供应商",
	},
	lead: map[Condition]string{
		RunFails:     "无法读取",
		ChecksFail:   "数字互相矛盾，没有发布报告",
		MissingInput: "以下来源没有新内容",
		NewCause:     "首次出现的不该付的费用",
		NewProvider:  "首次出现",
	},
	verdicts: map[string]string{
		"duplicate_line": "同一行计费两次", "not_billable": "从未执行却计费", "hedged": "并发请求中落败的一份",
		"double_retry": "两层重试叠加", "sdk_retry": "SDK 内部的隐藏重试", "partial_tokens": "超时，部分计费",
		"timeout_retry": "超时，全额计费", "server_error_retry": "失败仍计费",
	},
	steps:    map[string]string{"open": "打开数据库", "ingest": "载入文件", "reconcile": "对账", "report": "生成报告"},
	tax:      "自上一晚以来结清的费用中，%s %s 不该付，共 %s %s%s；上限 %s",
	taxShare: "（占 %s）",
	minute:   "%s（%s）这一分钟，%d 次失败，共 %d 次尝试：%s；上限 %s",
	fails:    "在“%s”时失败，退出码 %d。原因见运行日志；下次运行从上一个完好的状态继续",
	without:  "其余文件已载入并对账；退出码 %d。原因见运行日志；下次运行会再试",
	colon:    "：", comma: "、", more: "，另有 %d 项", meaning: "（%s）",
}
