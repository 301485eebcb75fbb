extension KeyboardLayout {
  /// The layouts of `config/keyboards`, by name, so that this module needs no YAML. A test compares the two.
  public static let shipped: [String: KeyboardLayout] = [
    "german": made(
      language: "de",
      rows: [
        "q w e r t z u i o p ü", "a s d f g h j k l ö ä", "shift y x c v b n m ß delete",
        "symbols , space . return",
      ],
      shifted: ["ß": "ẞ"],
      variants: [
        "a": "à á â æ", "e": "é è ê ë €", "o": "ó ò ô œ", "u": "ú ù û", "s": "ß ś š", "c": "ç ć č",
        "n": "ñ ń", "i": "í ì î ï", ",": "; ' !", ".": ": ? -",
      ]),
    "english_us": made(
      language: "en",
      rows: [
        "q w e r t y u i o p", "a s d f g h j k l", "shift z x c v b n m delete", "symbols , space . return",
      ],
      variants: [
        "a": "à á â ä å æ", "e": "é è ê ë", "i": "í ì î ï", "o": "ó ò ô ö ø œ", "u": "ú ù û ü", "c": "ç",
        "n": "ñ", "s": "ß $", "y": "ÿ", ",": "; ' !", ".": ": ? -",
      ]),
    "english_uk": made(
      language: "en_GB",
      rows: [
        "q w e r t y u i o p", "a s d f g h j k l '", "shift z x c v b n m delete",
        "symbols , space . return",
      ],
      shifted: ["'": "\""],
      variants: [
        "a": "à á â ä å æ", "e": "é è ê ë €", "i": "í ì î ï", "o": "ó ò ô ö ø œ", "u": "ú ù û ü", "c": "ç",
        "n": "ñ", "l": "£", ",": "; !", ".": ": ? -",
      ]),
    "french": made(
      language: "fr",
      rows: [
        "a z e r t y u i o p", "q s d f g h j k l m", "shift w x c v b n ' delete",
        "symbols , space . return",
      ],
      shifted: ["'": "?"],
      variants: [
        "a": "à â æ á ä", "e": "é è ê ë €", "i": "î ï í", "o": "ô œ ö ó", "u": "ù û ü ú", "c": "ç", "y": "ÿ",
        "n": "ñ", ",": "; !", ".": ": ? -",
      ]),
    "spanish": made(
      language: "es",
      rows: [
        "q w e r t y u i o p", "a s d f g h j k l ñ", "shift z x c v b n m delete",
        "symbols , space . return",
      ],
      variants: [
        "a": "á à ª", "e": "é è €", "i": "í ï", "o": "ó ò º", "u": "ú ü", "c": "ç", "n": "ñ", ",": "; ¡ !",
        ".": ": ¿ ?",
      ]),
    "italian": made(
      language: "it",
      rows: [
        "q w e r t y u i o p", "a s d f g h j k l", "shift z x c v b n m ' delete",
        "symbols , space . return",
      ],
      shifted: ["'": "\""],
      variants: ["a": "à á", "e": "è é €", "i": "ì í î", "o": "ò ó", "u": "ù ú", ",": "; !", ".": ": ? -"]),
    "polish": made(
      language: "pl",
      rows: [
        "q w e r t y u i o p", "a s d f g h j k l", "shift z x c v b n m delete", "symbols , space . return",
      ],
      variants: [
        "a": "ą", "c": "ć", "e": "ę €", "l": "ł", "n": "ń", "o": "ó", "s": "ś", "z": "ż ź", "x": "ź",
        ",": "; !", ".": ": ? -",
      ]),
    "russian": made(
      language: "ru",
      rows: [
        "й ц у к е н г ш щ з х", "ф ы в а п р о л д ж э", "shift я ч с м и т ь б ю delete",
        "symbols , space . return",
      ],
      variants: ["е": "ё", "ь": "ъ", ",": "; !", ".": ": ? -"]),
    "greek": made(
      language: "el",
      rows: [
        "; ς ε ρ τ υ θ ι ο π", "α σ δ φ γ η ξ κ λ", "shift ζ χ ψ ω β ν μ delete", "symbols , space . return",
      ],
      shifted: [";": ":", "ς": "ς"],
      variants: [
        "α": "ά", "ε": "έ", "η": "ή", "ι": "ί ϊ ΐ", "ο": "ό", "υ": "ύ ϋ ΰ", "ω": "ώ", ",": "· !",
        ".": ": ? -",
      ]),
    "arabic": made(
      language: "ar",
      rows: [
        "ض ص ث ق ف غ ع ه خ ح ج", "ش س ي ب ل ا ت ن م ك ط", "ذ ء ؤ ر ى ة و ز ظ د delete",
        "symbols ، space . return",
      ],
      variants: ["ا": "أ إ آ ٱ", "ي": "ئ", "ت": "ث", "ه": "ة", "ل": "لا", "،": "؛ !", ".": ": ؟ -"]),
    "numbers": made(language: "", rows: ["1 2 3 delete*1", "4 5 6 -", "7 8 9 .", ", 0 space*1 return*1"]),
    "pin": made(language: "", rows: ["1 2 3", "4 5 6", "7 8 9", "delete*1 0 return*1"]),
  ].compactMapValues(\.self)

  /// The names of the shipped layouts, in the order of the documents.
  public static let names = [
    "german", "english_us", "english_uk", "french", "spanish", "italian", "polish", "russian", "greek",
    "arabic", "numbers", "pin",
  ]

  /// Returns the name of the layout for a language, such as `de` or `en_GB`; nil if there is none.
  public static func name(for language: String) -> String? {
    let language = language.replacing("-")
    let prefix = String(language.prefix { $0 != "_" })
    return names.first { shipped[$0]?.language == language }
      ?? names.first { shipped[$0]?.language == prefix && !prefix.isEmpty }
  }

  /// Makes a layout. A test reads each, so none is left out.
  private static func made(
    language: String, rows: [String], shifted: [String: String] = [:], variants: [String: String] = [:]
  ) -> KeyboardLayout? {
    try? KeyboardLayout(language: language, rows: rows, shifted: shifted, variants: variants)
  }
}

extension String {
  /// Returns the string with underscores for hyphens, as in the names of locales.
  fileprivate func replacing(_ hyphen: Character) -> String { String(map { $0 == hyphen ? "_" : $0 }) }
}
