package printed

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Trainings are told in other languages, too. Their words are put into English before a piece is read, so that every
// form is read in each of them.

// spaced are words of languages that put spaces between words, in lower case, beside what they are in English.
var spaced = meanings(map[string]string{
	"epoch":      "epoche epoca época époque эпоха",
	"epochs":     "epochen épocas epocas époques эпох",
	"iteration":  "итерация iteración iteração itération iterazione",
	"step":       "шаг étape passo paso schritt",
	"batch":      "батч пакет lote",
	"train":      "обучение entrenamiento treinamento entraînement addestramento",
	"validation": "валидация validación validação validazione validierung",
	"loss":       "потери потеря pérdida perdida perda perdita perte verlust",
	"accuracy":   "точность précision precisión precisão accuratezza genauigkeit",
})

// joined are words of languages that do not.
var joined = strings.NewReplacer(pairs(map[string]string{
	"total epochs": "总轮数 总轮次 训练轮数 总训练轮数",
	"epoch":        "轮次 エポック 에포크 에폭",
	"iteration":    "迭代次数 迭代 반복",
	"step":         "步数 ステップ 스텝",
	"batch":        "批次 バッチ 배치",
	"train":        "训练 訓練 学習 학습 훈련",
	"validation":   "验证 驗證 検証 검증",
	"test":         "测试 測試 テスト 테스트",
	"loss":         "损失 損失 손실",
	"accuracy":     "准确率 正确率 準確率 精度 正解率 정확도",
	"download":     "下载 下載 ダウンロード",
	"best":         "最佳 最好 最优 ベスト",
	"":             "的",
})...)

// In Chinese a number may stand within the word, as in 第3轮.
var (
	epochOfChinese  = regexp.MustCompile(`第\s*([0-9]+\s*(?:/\s*[0-9]+)?)\s*(?:轮|代|个epoch)`)
	stepsOfChinese  = regexp.MustCompile(`第\s*([0-9]+)\s*步\s*/\s*共\s*([0-9]+)\s*步`)
	stepOfChinese   = regexp.MustCompile(`第\s*([0-9]+\s*(?:/\s*[0-9]+)?)\s*步`)
	epochsOfChinese = regexp.MustCompile(`共\s*([0-9]+)\s*(?:轮|代|个epoch)`)
)

// ofOthers stands between two numbers, as "of" does.
var ofOthers = regexp.MustCompile(`([0-9]) (?:von|de|di|su|sur|из) ([0-9])`)

// meanings are words beside what they mean, from lists of words that mean the same.
func meanings(lists map[string]string) map[string]string {
	of := map[string]string{}
	for meaning, list := range lists {
		for word := range strings.FieldsSeq(list) {
			of[word] = meaning
		}
	}
	return of
}

// pairs are these for a replacer: where one word begins with another, the longer one stands first.
func pairs(lists map[string]string) []string {
	of := meanings(lists)
	var list []string
	for _, word := range slices.Backward(slices.Sorted(maps.Keys(of))) {
		list = append(list, word, " "+of[word]+" ")
	}
	return list
}

// isForeign says that a piece may hold such a word: letters with marks, or the few words without them that name an
// epoch.
func isForeign(text string, at glance) bool {
	return at.foreign || strings.Contains(text, "schritt") ||
		strings.Contains(text, "epoc") && (strings.Contains(text, "epoche") || strings.Contains(text, "epoca"))
}

// inEnglish puts a piece into English as far as it has these words.
func inEnglish(text string) string {
	text = strings.ToLower(text)
	text = epochOfChinese.ReplaceAllString(text, " epoch $1 ")
	text = stepsOfChinese.ReplaceAllString(text, " step $1/$2 ")
	text = stepOfChinese.ReplaceAllString(text, " step $1 ")
	text = epochsOfChinese.ReplaceAllString(text, " total epochs: $1 ")
	text = joined.Replace(ofOthers.ReplaceAllString(text, "$1 of $2"))
	var english strings.Builder
	for text != "" {
		end := 0
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		if word, ok := spaced[text[:end]]; ok {
			english.WriteString(word)
		} else {
			english.WriteString(text[:end])
		}
		text = text[end:]
		for end = 0; end < len(text) && !isLetter(text[end]); {
			end++
		}
		english.WriteString(text[:end])
		text = text[end:]
	}
	return english.String()
}
