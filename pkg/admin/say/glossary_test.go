package say_test

import (
	"regexp"
	"strings"
	"testing"

	"headless/pkg/admin/say"
)

// glossary has the word of each language for a term: messages with the first expression have the word,
// in some form. The languages are those of say.Languages after English.
var glossary = []struct {
	term  string
	words []string // de, fr, es, pt, ja, ar
}{
	{`entr(y|ies)`, []string{"eintr", "entrée", "entrada", "ite[mn]", "エントリー", "مدخل"}},
	{`drafts?`, []string{"entw", "brouillon", "borrador", "rascunho", "下書き", "مسود"}},
	{`published`, []string{"veröffentlich", "publi", "public", "public", "公開", "نُ?شر|نشور"}},
	{`releases?`, []string{"release", "publications? groupée", "publicaci[oó]n(es)? conjunta", "lançamento", "リリース",
		"إصدار"}},
	{`planned`, []string{"plan", "planifi", "planifi", "planej", "予定", "جدول"}},
	{`reviews?`, []string{"prüf", "relectu|relire", "revis", "revis", "レビュー", "راجع"}},
	{`comments?`, []string{"komment", "comment", "coment", "coment", "コメント", "عليق"}},
	{`files?`, []string{"datei", "fichier", "archivo", "arquivo", "ファイル|拡張子", "ملف"}},
	{`locales?|languages?`, []string{"sprach", "langue", "idioma", "idioma", "言語", "لغ"}},
	{`slugs?`, []string{"slug", "slug", "slug", "slug", "スラッグ", "لطيف"}},
	{`webhooks?`, []string{"webhook", "webhook", "webhook", "webhook", "webhook", "webhook"}},
	{`API keys?`, []string{"api-schlüssel", "clés? d’api", "claves? de api", "chaves? de api", "apiキー",
		"(مفتاح|مفاتيح) api"}},
	{`passkeys?`, []string{"passkey", "clés? d’accès", "llaves? de acceso", "chaves? de acesso", "パスキー", "مرور"}},
	{`access tokens?`, []string{"zugriffstoken", "jetons? d’accès", "tokens? de acceso", "tokens? de acesso", "アクセストークン",
		"(رمز|رموز) (ال)?وصول"}},
	{`models?`, []string{"modell", "modèle", "modelo", "modelo", "モデル", "نموذج|نماذج"}},
	{`fields?`, []string{"feld", "champ", "campo", "campo", "フィールド", "حقل|حقول"}},
	{`redirects?`, []string{"weiterl", "redir", "redir", "redirec", "リダイレクト", "حويل"}},
	{`trash`, []string{"papierkorb", "corbeille", "papelera", "lixeira", "ゴミ箱", "مهملات"}},
	{`folders?`, []string{"ordner", "dossier", "carpeta", "pasta", "フォルダー", "جلد"}},
	{`passwords?`, []string{"passw", "mots? de passe", "contraseña", "senha", "パスワード", "كلم"}},
	{`submissions?`, []string{"einsend", "envoi", "envío", "envio", "送信", "شارك"}},
	{`translations?`, []string{"übersetz", "traduc", "traducc", "tradu[çc]", "翻訳", "رجم"}},
	{`undelivered|deliver(ies|ed)`, []string{"zust|zuge", "envoi|remis", "env[ií]", "envi", "送信", "رسال|رسل|ُرسل"}},
	{`webhooks? paused`, []string{"angehalten", "en pause", "pausado", "pausado", "一時停止", "إيقاف|أُوقف"}},
}

// exempt are messages that name a value of the API in place of a thing, or need no word for it.
var exempt = regexp.MustCompile(
	`/|\{\{|^(are for|apply to|cannot stand|cannot be given|is only for|is required unless|must be)|` +
		`^Entry (draft|comment|review) |^Webhook replay |^How often entries were seen|^Look after entries|^Only entries of$`)

// TestGlossary wants one word for one thing in each language.
func TestGlossary(t *testing.T) {
	for _, g := range glossary {
		if len(g.words) != len(say.Languages)-1 {
			t.Fatalf("%s has words in %d languages, want one in each but English", g.term, len(g.words))
		}
		term := regexp.MustCompile(`(?i)(^|[^-\w_.])(` + g.term + `)($|[^\w_])`)
		for i, l := range say.Languages[1:] {
			word, seen := regexp.MustCompile(g.words[i]), false
			eachText(l, func(key, text string) {
				if term.MatchString(key) && !exempt.MatchString(key) {
					seen = true
					if !word.MatchString(strings.ToLower(text)) {
						t.Errorf("%s: %q has no %s: %q", l.Code, key, g.words[i], text)
					}
				}
			})
			if !seen {
				t.Errorf("no message has %s", g.term)
			}
		}
	}
}

// TestPagesSayLanguage wants the English word for a locale on pages. Answers of the API, which pages show too, name its
// parameters.
func TestPagesSayLanguage(t *testing.T) {
	found, locale := map[string]message{}, regexp.MustCompile(`(?i)(^|[^{\w])locales?\b`)
	inTemplates(t, found)
	inScripts(t, found)
	inPackages(t, found)
	for key, m := range found {
		if locale.MatchString(key) {
			t.Errorf("%s: %q should call it a language", m.where, key)
		}
	}
}

// TestManners wants one form of address and the punctuation of each language.
func TestManners(t *testing.T) {
	never := map[string]string{
		"de": `(?i)(^|\PL)(du|dich|dir|deine?[mnrs]?|nutzer|anwender)($|\PL)`,
		"fr": `(?i)(^|\PL)(tu|toi|tes|ton)($|\PL)|[ \x{a0}][;:!?»]|«[ \x{a0}]|[\pL\d}][;!?]|\d \d{3}`,
		"es": `(?i)(^|\PL)(tu|tus|tú|ti|puedes|tienes|debes|quieres|inténtalo|haz)($|\PL)|programad|^[^¿]*[^=¿]*\?$`,
		"pt": `(?i)(^|\PL)(tu|teus?|tuas?|ficheiros?|utilizador|ecrã|agendad[oa])($|\PL)`,
		"ja": `下さい|出来ます|スケジュール|を予約|[ぁ-ん][!?]`,
		"ar": `مُدخل|مخططة|\pL[?;,]`,
	}
	for _, l := range say.Languages[1:] {
		if never[l.Code] == "" {
			t.Fatalf("%s: nothing says which words and signs it never has", l.Code)
		}
		wrong := regexp.MustCompile(never[l.Code])
		eachText(l, func(key, text string) {
			if !strings.Contains(key, "?preview") && !strings.Contains(key, "/{locale") && wrong.MatchString(text) {
				t.Errorf("%s: %q of %q", l.Code, wrong.FindString(text), text)
			}
			if strings.HasSuffix(key, "…") != strings.HasSuffix(text, "…") || strings.HasSuffix(text, " …") {
				t.Errorf("%s: %q ends otherwise than %q", l.Code, text, key)
			}
		})
	}
}

func eachText(l *say.Language, visit func(key, text string)) {
	for key, e := range l.Entries() {
		if e.Forms == nil {
			visit(key, e.Text)
		}
		for _, text := range e.Forms {
			visit(key, text)
		}
	}
}

// TestLabelsOfTimesAndCounts: a label that stands before a time, a number and a state has no word that fits one of them
// alone, such as "date".
func TestLabelsOfTimesAndCounts(t *testing.T) {
	times := regexp.MustCompile(`(?i)日時|日付|datum|zeit|date|heure|fecha|hora|data|تاريخ|وقت`)
	for _, l := range say.Languages[1:] {
		for _, key := range []string{"Changed", "Created", "Updated", "Uploaded"} {
			if text := l.Entries()[key].Text; text == "" || times.MatchString(text) {
				t.Errorf("%s: %q is %q", l.Code, key, text)
			}
		}
	}
}
