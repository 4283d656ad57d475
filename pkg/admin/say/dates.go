package say

import (
	"strings"
	"time"
)

// dates are the formats of a language for days, as CLDR has them: the medium and the full one, and
// one without the year. They are those of package time, in which Jan, January and Monday stand for
// the names of the language.
type dates struct {
	medium, full, short string
	abbreviated, months string // names, with commas between them
	days                string // from Sunday
}

var english = dates{
	medium: "2 Jan 2006", full: "Monday, 2 January 2006", short: "2 Jan",
	abbreviated: "Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec",
	months:      "January,February,March,April,May,June,July,August,September,October,November,December",
	days:        "Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday",
}

var german = dates{
	medium: "02.01.2006", full: "Monday, 2. January 2006", short: "2. Jan",
	abbreviated: "Jan.,Feb.,März,Apr.,Mai,Juni,Juli,Aug.,Sept.,Okt.,Nov.,Dez.",
	months:      "Januar,Februar,März,April,Mai,Juni,Juli,August,September,Oktober,November,Dezember",
	days:        "Sonntag,Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag",
}

var french = dates{
	medium: "2 Jan 2006", full: "Monday 2 January 2006", short: "2 Jan",
	abbreviated: "janv.,févr.,mars,avr.,mai,juin,juil.,août,sept.,oct.,nov.,déc.",
	months:      "janvier,février,mars,avril,mai,juin,juillet,août,septembre,octobre,novembre,décembre",
	days:        "dimanche,lundi,mardi,mercredi,jeudi,vendredi,samedi",
}

var spanish = dates{
	medium: "2 Jan 2006", full: "Monday, 2 de January de 2006", short: "2 Jan",
	abbreviated: "ene,feb,mar,abr,may,jun,jul,ago,sept,oct,nov,dic",
	months:      "enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,octubre,noviembre,diciembre",
	days:        "domingo,lunes,martes,miércoles,jueves,viernes,sábado",
}

var portuguese = dates{
	medium: "2 de Jan de 2006", full: "Monday, 2 de January de 2006", short: "2 de Jan",
	abbreviated: "jan.,fev.,mar.,abr.,mai.,jun.,jul.,ago.,set.,out.,nov.,dez.",
	months:      "janeiro,fevereiro,março,abril,maio,junho,julho,agosto,setembro,outubro,novembro,dezembro",
	days:        "domingo,segunda-feira,terça-feira,quarta-feira,quinta-feira,sexta-feira,sábado",
}

var japanese = dates{
	medium: "2006/01/02", full: "2006年1月2日Monday", short: "1月2日",
	days: "日曜日,月曜日,火曜日,水曜日,木曜日,金曜日,土曜日",
}

var arabic = dates{
	medium: "02\u200f/01\u200f/2006", full: "Monday، 2 January 2006", short: "2 Jan",
	abbreviated: "يناير,فبراير,مارس,أبريل,مايو,يونيو,يوليو,أغسطس,سبتمبر,أكتوبر,نوفمبر,ديسمبر",
	months:      "يناير,فبراير,مارس,أبريل,مايو,يونيو,يوليو,أغسطس,سبتمبر,أكتوبر,نوفمبر,ديسمبر",
	days:        "الأحد,الاثنين,الثلاثاء,الأربعاء,الخميس,الجمعة,السبت",
}

// format writes a day in one of the formats.
func (d dates) format(t time.Time, layout string) string {
	month, day := int(t.Month())-1, int(t.Weekday())
	names := strings.NewReplacer("January", nameAt(d.months, month), "Jan", nameAt(d.abbreviated, month),
		"Monday", nameAt(d.days, day), "2006", t.Format("2006"), "02", t.Format("02"), "01", t.Format("01"),
		"2", t.Format("2"), "1", t.Format("1"))
	return names.Replace(layout)
}

func nameAt(list string, i int) string {
	if list == "" {
		return ""
	}
	return strings.Split(list, ",")[i]
}
