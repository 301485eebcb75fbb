import TouchCore
import TouchExpressions
import TouchViews

extension KeyTable {
  package static let root = KeyTable("the file", takesAnchors: true, advice: adviceForFiles) {
    "The version of this format."
    KeyRow("version", .values([.number(1)]), default: .number(1))
    "A file, or a list of files, whose keys count as if they stood here. See [several files](files.md#several-files)."
    KeyRow("include", .nullable(.either([.name, .list(of: .name)])))
    "Where pixels go."
    KeyRow("display", .nullable(.mapping(DisplaySettings.keys.table)))
    "Where touches come from."
    KeyRow("input", .nullable(.mapping(Configuration.Input.keys.table)))
    "How touches are shown."
    KeyRow("highlight", .nullable(.mapping(highlight)))
    "Stages after so many seconds without a touch; see [stages](#while-nothing-is-touched-idlestage)."
    KeyRow("idle", .nullable(.list(of: .definition("idleStage"))))
    "Code that responders call, by name. `log` is built in and is not declared."
    KeyRow("handlers", .nullable(.names(of: .definition("handler"), like: #"^(?!log$).*\S"#)))
    "The last responder of every chain."
    KeyRow("application", .nullable(.mapping(application)))
    "Values with names, which expressions read. See [expressions and values](values.md#expressions)."
    KeyRow(
      "values",
      .nullable(
        .names(
          of: .either([.definition("plainValue"), .definition("namedValue")]),
          like: #"^[\p{L}_][\p{L}\p{N}_-]*$"#)))
    "Texts in several languages. See [languages](values.md#languages)."
    KeyRow("strings", .nullable(.names(of: .nullable(.names(of: .text)))))
    "The language that is shown first. Default: the first one of `strings`."
    KeyRow("language", .nullable(.either([.name, .definition("namedValue")])))
    "How numbers, days and months are written: `en`, `de`, `fr`, `es`, `it`, `nl`, `pl`, `ru`, `el` or `ar`. Default: as in the current [language](values.md#languages), or else `en`."
    KeyRow("locale", .nullable(.string))
    "Keys that several views share, by name. See [styles](looks.md#styles)."
    KeyRow("styles", .nullable(.names(of: .nullable(.definition("style")))))
    "Views that are used several times, by name. See [templates](lists.md#templates)."
    KeyRow("templates", .nullable(.names(of: .names(of: .anything))))
    "The keyboard that comes up by itself. See [`keyboard`](#the-keyboard-keyboard)."
    KeyRow("keyboard", .nullable(.mapping(screenKeyboard)))
    "Layouts of keyboards, by name. See [layouts](text.md#layouts)."
    KeyRow("keyboards", .nullable(.names(of: .definition("keyboardLayout"))))
    "The root of the view tree. Required, unless the file has `keyboards` alone."
    KeyRow("window", .definition("window"))
    "Only in a file that has no window: device rules that ship with touchtree. See [quirks](devices.md#quirks)."
    KeyRow("quirks", .nullable(.list(of: .definition("device"))))
    "The looks of views: `dark`, `light`, or the path of a theme's file. See [themes](looks.md#themes)."
    KeyRow("theme", .nullable(.either([.name, .definition("namedValue"), .mapping(ThemeDraft.keys.table)])))
    "The colour of chosen and filled parts and of primary buttons, in place of the theme's."
    KeyRow("accent", .nullable(.color))
    "The files and folders that a program may name for a picture or the theme. See [files](privacy.md#files-that-programs-name)."
    KeyRow("files", .nullable(.either([.name, .list(of: .name)])))
  }

  private static func adviceForFiles(_ name: String) -> String? {
    switch name.lowercased() {
    case "lang", "languages": "did you mean \"language\"?"
    case "timezone", "time_zone", "tz":
      "the time zone is the machine's: timedatectl set-timezone Europe/Vienna"
    case "mqtt", "broker", "home_assistant", "homeassistant":
      "a program of its own connects to a broker: touchtree-mqtt --broker HOST --prefix NAME"
    case "canvas", "resolution", "size": "write display: {canvas: {size: [800, 480]}}"
    case "rotate", "rotation", "orientation": "write display: {rotation: 90}"
    case "pages", "screens":
      "pages are views: window: {subviews: [{id: screens, kind: pages, subviews: [{id: home}]}]}"
    default: nil
    }
  }

  static let theme = KeyTable(
    "a theme", [],
    properties: ["version", "based_on", "colors", "high_contrast", "font", "highlight", "kinds", "styles"],
    takesAnchors: true)

  static let application = KeyTable("application") {
    "Names of handlers, in the order in which they are called."
    KeyRow("handlers", .handlerNames)
    aboutKeys
    KeyRow("keys", .nullable(.names(of: .steps)))
    aboutScans
    KeyRow("scanned", .steps)
  }

  /// The keyboard that comes up by itself.
  static let screenKeyboard = KeyTable("keyboard") {
    "The layout of keyboards that name none: the name of a shipped one, of one of `keyboards`, or a language. Default: that of `language`, then of `locale`, then `english_us`."
    KeyRow("layout", .nullable(.name))
    "`auto`: if the file declares none, one comes up by itself when a text field is edited; `never`: none does, as on a panel with a real keyboard."
    KeyRow("shows", .value(.words(["auto", "never"])), default: .text("auto"))
  }

  static let keyboardLayout = KeyTable("the layout of a keyboard") {
    "The language that it is for, such as `de`."
    KeyRow("language", .nullable(.name))
    "The rows of letters, from top to bottom. See [layouts](text.md#layouts)."
    KeyRow("rows", rowsOfKeys, required: "give the rows of keys, from top to bottom")
    "The rows that the key `symbols` shows. Default: digits and signs."
    KeyRow("symbols", .nullable(rowsOfKeys))
    "The rows that the key `more` shows. Default: more signs."
    KeyRow("more", .nullable(rowsOfKeys))
    "The letters of keys with shift, if they are not the capitals."
    KeyRow("shifted", .nullable(.names(of: .text)))
    "The choices of a finger that stays on a key."
    KeyRow("variants", .nullable(.names(of: .text)))
  }

  private static let rowsOfKeys = KeyShape.list(of: .text, 1...8)

  static let instance = KeyTable("a view of a template", others: .anything) {
    "The name of a template. The other keys are its parameters, and keys of a view."
    KeyRow("of", .name, required: "give the name of a template")
  }

  static let repetition = KeyTable("a view for each row") {
    "The repeated template or view, and the rows. It stands alone in its mapping."
    KeyRow("repeat", .mapping(rows), required: "write {of: TEMPLATE, for: 20}")
  }

  package static let rows = KeyTable("a repeat", others: .anything) {
    "The name of a template."
    KeyRow("of", .name)
    "A view, in place of a template."
    KeyRow("view", .names(of: .anything))
    "How many rows there are, up to 10 000; or a list with a mapping of parameters for each; or the name of a [value](values.md#values) that holds such a list. Something else than a mapping is the parameter `item`."
    KeyRow(
      "for",
      .either([
        .value(.integer(0...ConfigurationReader.mostRows)),
        .list(of: .anything, 0...ConfigurationReader.mostRows), .string,
      ]), required: "a number, a list, or the name of a value")
    "The id of each row. Default: the template's name with the row's `key`, or else with `index`: `room-hall`, `room-0`; of a second `repeat` of that template `room-2-hall`, `room-2-0`."
    KeyRow("id", .definition("id"))
  }
}

/// The sentences for keys that the application and the window have.
private let (aboutKeys, aboutScans) = (
  "[Steps](#a-step-step) for keys that no view handled, by the names of the keys: `{F1: [page: {screens: home}]}`. See [keys](keys.md#what-a-key-does).",
  "[Steps](#a-step-step) for a text that a barcode scanner has read and no text field took; `{text}` stands for it."
)

extension Configuration.Window {
  static let keys = Keys<Self>("the window", Self(), advice: advice) {
    "Its name."
    KeyRow("id", .definition("id"), default: .text("window"))
    "Names of handlers."
    KeyRow("handlers", .handlerNames)
    "The id of a view that answers every hit test."
    KeyRow("fixed_target", .nullable(.name), default: .null)
    "Hit tests per touch: 1, or 2 as iOS does."
    KeyRow("passes", \.passes, .integer(1...2))
    "Whether touches find views, to be spoken, in place of using them; true, false or an expression. See [exploration](accessibility.md#exploration)."
    KeyRow("touch_exploration", .either([.flag, .definition("expression")]), default: .flag(false)) {
      value, window in
      if !value.hasExpression(ViewProperty.touchExploration.shape) {
        window.isExplored = value.bool() ?? false
      }
    }
    "Gestures that are recognised anywhere in the window."
    KeyRow("gestures", .nullable(.definition("gestures")))
    aboutKeys
    KeyRow("keys", .nullable(.names(of: .steps)))
    aboutScans
    KeyRow("scanned", .steps)
    "Views, back to front."
    KeyRow("subviews", .nullable(.definition("views")))
  }

  private static func advice(for name: String) -> String? {
    ["pages", "screens"].contains(name.lowercased())
      ? "pages are a view: subviews: [{id: screens, kind: pages, subviews: [{id: home}]}]" : nil
  }
}

extension NamedValue {
  static let keys = Keys<NamedValue>("a value", NamedValue(name: "", initial: .null)) {
    "Its first value; or an expression that it follows, `\"{energy * price}\"`, and then nothing else sets it."
    KeyRow("value", .definition("plainValue"), required: "give what it is at first, or null")
    "Whether it survives a restart. It is written to `$STATE_DIRECTORY` (`/var/lib/touchtree` for root, `~/.local/state/touchtree` for others) at most once a second. All kept values together have at most [16 MiB](limits.md#clients-and-processes)."
    KeyRow("keep", \.isKept, .flag)
    "How many seconds of it there are for charts. `check` prints the memory."
    KeyRow("history", \.history, KeyType.number(.history).orNull)
    "Its unit, for programs and Home Assistant: `\"°C\"`."
    KeyRow("unit", \.unit, KeyType.string("give what it is measured in: \"°C\"").orNull)
    "Of a number: its smallest value. A number that is set becomes the nearest that the limits and the step allow. Needs `maximum`."
    KeyRow("minimum", .nullable(.number(.coordinate)))
    "Of a number: its largest value. Home Assistant can set a number that has limits."
    KeyRow("maximum", .nullable(.number(.coordinate)))
    "Of a number with limits: the distance between its values, counted from `minimum`. Default: any number."
    KeyRow("step", .nullable(.number(.length)))
    "Home Assistant's class of it: `temperature`."
    KeyRow("class", \.deviceClass, KeyType.string("give a class of Home Assistant's: temperature").orNull)
    "What it is called for people, as in Home Assistant: `Energy today`."
    KeyRow("label", \.label, KeyType.string("give what it is called: Energy today").orNull)
    "Whether Home Assistant gets it. `auto`: if it has a `label` or a `class`."
    KeyRow("announce", .either([.value(.flag), .value(.words(["auto"]))]), default: .text("auto")) {
      value, named in
      if value.node.text != "auto" { named.isAnnounced = value.bool() }
    }
    "The sensor that sets it. See [sensors](values.md#sensors)."
    KeyRow("source", \.source, .mapping(SensorSource.keys, SensorSource()))
  }
}

extension SensorSource {
  static let keys = Keys<Self>("a source", Self()) {
    "The name of the device, with `*` and `?` as in the [rules of devices](devices.md); `touchtree devices` lists those of the kernel's input, and `/sys/bus/iio/devices/*/name` the others."
    KeyRow(
      "device", \.device, .name("give the name of the sensor's device"),
      required: "give its name, such as pir")
    "What it reports: an event of the kernel (`ABS_MISC`, `ABS_DISTANCE`, `SW_LID`, `KEY_WAKEUP`), or a channel of an IIO device (`illuminance`, `proximity`)."
    KeyRow("event", \.event, .sensorEvent, required: "give what it reports: ABS_MISC, SW_LID, illuminance")
    "The least change that counts."
    KeyRow("hysteresis", \.hysteresis, .length)
    "The seconds between two changes at least. A channel is read this often, while the display is lit or a client is connected."
    KeyRow("every", \.every, .number(.period))
    "Whether it counts as a touch for [`idle`](#while-nothing-is-touched-idlestage): a switch or a key for as long as it is on, a number whenever it changes."
    KeyRow("wakes", \.wakes, .flag)
  }
}

extension KeyType where Content == String {
  /// An event of the kernel's input, or a channel of IIO.
  fileprivate static let sensorEvent = KeyType(
    .pattern("^((ABS|KEY|BTN|SW)_[A-Z0-9_]+|[a-z][a-z0-9_-]*)$")
  ) { value in
    let advice = "give an event such as ABS_MISC, SW_LID or KEY_WAKEUP, or an IIO channel such as illuminance"
    guard let text = value.nonEmptyText(advice) else { return nil }
    func isMade(_ text: Substring, ofCase letters: ClosedRange<Character>, and marks: String) -> Bool {
      text.first.map { letters.contains($0) || $0.isNumber } ?? false
        && text.allSatisfy { letters.contains($0) || ("0"..."9").contains($0) || marks.contains($0) }
    }
    let isEvent = ["ABS_", "KEY_", "BTN_", "SW_"].contains {
      text.hasPrefix($0) && isMade(text.dropFirst($0.count), ofCase: "A"..."Z", and: "_")
    }
    if isEvent || !(text.first?.isNumber ?? true) && isMade(text[...], ofCase: "a"..."z", and: "_-") {
      return text
    }
    value.refuse(advice)
    return nil
  }
}

extension NumberRange {
  /// In seconds: a year at most.
  fileprivate static let history = NumberRange(lower: 0, upper: 31_622_400, isAboveLower: true)
  /// In seconds: from a twentieth to a day.
  fileprivate static let period = NumberRange(lower: 0.05, upper: 86_400)
}

extension KeyType where Content == String {
  /// Text that may be blank.
  fileprivate static func string(_ advice: String) -> Self { Self(.string) { $0.text(advice) } }
}
