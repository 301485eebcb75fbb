/// The way in which a country writes numbers, days and months. (Unicode's CLDR 44: the plain, "wide" and
/// "abbreviated" forms.) A board has few locales installed, or none, and the program must not bring ICU: it
/// knows these itself.
package struct Locale: Hashable, Sendable {
  /// The name in a file: `de`.
  package let name: String
  /// The separator between a whole number and its decimals.
  package let decimal: String
  /// The separator between groups of three digits, if a format asks for groups.
  let group: String
  let days, shortDays, months, shortMonths: [String]
  /// The formats of strftime's `%x`, `%X` and `%p`.
  let date: String

  /// Returns the locale with a name such as `de`, `de_AT` or `de-AT`; nil for an unknown one.
  package static func named(_ name: String) -> Locale? {
    let folded = name.split(separator: ".").first.map { $0.lowercased() } ?? ""
    let language = folded.prefix { $0 != "_" && $0 != "-" }
    return all.first { $0.name == language }
  }

  package static let names = all.map(\.name)

  package static let english = Locale(
    "en", ".", ",", "%Y-%m-%d", days: "Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
    short: "Sun Mon Tue Wed Thu Fri Sat",
    months: "January February March April May June July August September October November December",
    short: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")

  private static let all: [Locale] = [
    english,
    Locale(
      "de", ",", ".", "%d.%m.%Y", days: "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
      short: "So Mo Di Mi Do Fr Sa",
      months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
      short: "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
    Locale(
      "fr", ",", "\u{202F}", "%d/%m/%Y", days: "dimanche lundi mardi mercredi jeudi vendredi samedi",
      short: "dim. lun. mar. mer. jeu. ven. sam.",
      months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
      short: "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
    Locale(
      "es", ",", ".", "%d/%m/%Y", days: "domingo lunes martes miércoles jueves viernes sábado",
      short: "dom lun mar mié jue vie sáb",
      months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
      short: "ene feb mar abr may jun jul ago sept oct nov dic"),
    Locale(
      "it", ",", ".", "%d/%m/%Y", days: "domenica lunedì martedì mercoledì giovedì venerdì sabato",
      short: "dom lun mar mer gio ven sab",
      months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
      short: "gen feb mar apr mag giu lug ago set ott nov dic"),
    Locale(
      "nl", ",", ".", "%d-%m-%Y", days: "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
      short: "zo ma di wo do vr za",
      months: "januari februari maart april mei juni juli augustus september oktober november december",
      short: "jan feb mrt apr mei jun jul aug sep okt nov dec"),
    Locale(
      "pl", ",", "\u{A0}", "%d.%m.%Y", days: "niedziela poniedziałek wtorek środa czwartek piątek sobota",
      short: "niedz. pon. wt. śr. czw. pt. sob.",
      months:
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
      short: "sty lut mar kwi maj cze lip sie wrz paź lis gru"),
    Locale(
      "ru", ",", "\u{A0}", "%d.%m.%Y", days: "воскресенье понедельник вторник среда четверг пятница суббота",
      short: "вс пн вт ср чт пт сб",
      months: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
      short: "янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек."),
    Locale(
      "el", ",", ".", "%d/%m/%Y", days: "Κυριακή Δευτέρα Τρίτη Τετάρτη Πέμπτη Παρασκευή Σάββατο",
      short: "Κυρ Δευ Τρί Τετ Πέμ Παρ Σάβ",
      months:
        "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
      short: "Ιαν Φεβ Μαρ Απρ Μαΐ Ιουν Ιουλ Αυγ Σεπ Οκτ Νοε Δεκ"),
    Locale(
      "ar", ".", ",", "%d/%m/%Y", days: "الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت",
      short: "الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت",
      months: "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
      short: "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"),
  ]

  private init(
    _ name: String, _ decimal: String, _ group: String, _ date: String, days: String, short shortDays: String,
    months: String, short shortMonths: String
  ) {
    func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    (self.name, self.decimal, self.group, self.date) = (name, decimal, group, date)
    (self.days, self.shortDays) = (words(days), words(shortDays))
    (self.months, self.shortMonths) = (words(months), words(shortMonths))
  }
}
