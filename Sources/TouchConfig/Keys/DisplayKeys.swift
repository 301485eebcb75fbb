import TouchCore
import TouchViews

extension DisplaySettings {
  static let keys = Keys<DisplaySettings>("display", DisplaySettings(), advice: advice) {
    "`auto` takes the framebuffer that shows the console, or the first that works, and where none does [a connector](displays.md#without-a-framebuffer-kms). Also `kms`, a connector such as `kms:HDMI-A-1`, a path such as `/dev/fb1`, or `headless` (memory)."
    KeyRow("device", \.device, .displayDevice, default: .text("auto"))
    "The mode of a connector, such as `1280x800`, `1280x800@60` or, interlaced, `1920x1080@60i`. Without it: the one that it prefers."
    KeyRow("mode", \.mode, KeyType.displayMode.orNull)
    "Clockwise turn of the picture: 0, 90, 180 or 270. Touches turn with it. `auto` is as the panel is mounted, if its driver says so, else 0."
    KeyRow("rotation", \.rotation, .turnOrAuto, default: .text("auto"))
    "The coordinate space of the view tree."
    KeyRow("canvas", .nullable(.mapping(canvas.table))) { $0.read(canvas, into: &$1, $0.canvasAdvice) }
    "The colour where no view paints; with a [theme](looks.md#themes), that of its window."
    KeyRow("background", \.background, KeyType.color.cosmetic)
    "`hide` stops the kernel's console from drawing over the picture until touchtree ends; `keep` leaves it alone."
    KeyRow("console", \.console, .word)
    "The brightness in per cent, as a number or an expression (`\"{light}\"`): see [the display's light](idle.md#the-displays-light). Or the backlight that is set and that [`idle`](#while-nothing-is-touched-idlestage) dims: the name of a folder in `/sys/class/backlight`; without it, the only one there is. Both: `{device: 10-0045, light: \"{light}\"}`."
    KeyRow(
      "backlight", .nullable(.either([brightness, .name, .mapping(panelKeys.table)])), read: readBacklight)
    "The defaults of every font: `{family: Inter, size: 18}`, with the keys of [`font`](#viewfont)."
    KeyRow("font", .nullable(.definition("view/properties/font")))
    "Whether nothing moves by itself: [animations](#stepanimate), transitions of pages, sheets, scrolling by a program, knobs of switches, and the fading of highlights are at once. Scrolling after a finger goes on."
    KeyRow("reduce_motion", \.reducesMotion, .flag)
  }

  private static let brightness = KeyShape.either([.number(.percent), .definition("expression")])

  static let panelKeys = Keys<DisplaySettings>("a backlight", DisplaySettings()) {
    "The name of a folder in `/sys/class/backlight`."
    KeyRow("device", \.backlight, KeyType.name("give the name of a folder in /sys/class/backlight").orNull)
    "The brightness in per cent, as a number or an expression."
    KeyRow("light", .nullable(brightness)) { value, settings in
      if !value.hasExpression(ViewProperty.backlight.shape) { settings.light = value.number(in: .percent) }
    }
  }

  /// Expressions are read when all views are known.
  private static func readBacklight(_ value: Value, _ settings: inout DisplaySettings) {
    if value.node.entries != nil {
      value.read(panelKeys, into: &settings)
    } else if value.finiteNumber != nil {
      settings.light = value.number(in: .percent)
    } else if !value.hasExpression(ViewProperty.backlight.shape) {
      settings.backlight = value.nonEmptyText(
        "give a brightness from 0 to 100, or the name of a folder in /sys/class/backlight")
    }
  }

  private static func advice(for name: String) -> String? {
    switch name.lowercased() {
    case "resolution", "size", "width", "height": "write canvas: {size: [800, 480]}"
    case "rotate", "orientation": "write rotation: 90"
    default: nil
    }
  }

  static let canvas = Keys<DisplaySettings>("a canvas", DisplaySettings()) {
    "Width and height in units, up to 8192, or `display`: the display's own pixels."
    KeyRow("size", \.canvasSize, .canvasSize, default: .text("display"))
    "`fit` shows all of the canvas, `fill` leaves no bars, `stretch` scales each axis by itself, `none` maps one unit to one pixel. `extend` is `fit` with a longer canvas in the place of bars: [stacks](layout.md#stacks) fill a display of any shape."
    KeyRow("scale", \.scale, .word)
  }
}

extension KeyType where Content == String {
  /// The name of a display in a file. Terminals are named where the program is started.
  fileprivate static let displayDevice = KeyType(.pattern("^(auto|headless|kms|kms:.+|/.*)$")) { value in
    switch value.node.text {
    case "auto", "headless", "kms": return value.node.text
    case let name? where name.hasPrefix("kms:") && name.count > 4: return name
    case let path? where path.hasPrefix("/"): return value.text()
    default:
      value.refuse(
        "give auto, headless, a framebuffer such as /dev/fb0, or kms or a connector such as kms:HDMI-A-1")
      return nil
    }
  }
}

extension KeyType where Content == DisplayMode {
  fileprivate static let displayMode = KeyType(.pattern("^[0-9]+x[0-9]+(@[0-9.]+i?)?$")) { value in
    if let mode = value.node.text.flatMap({ DisplayMode($0) }) { return mode }
    value.refuse(
      "give a mode such as 1280x800, 1280x800@60 or 1920x1080@60i; `touchtree displays` lists them")
    return nil
  }
}

extension KeyType where Content == Size {
  private static let canvas = NumberRange(lower: 0, upper: 8_192, isAboveLower: true)

  /// The size of a canvas, up to the largest display: its picture takes 256 MiB. `display` is nothing.
  fileprivate static let canvasSize = KeyType(
    .either([.value(.words(["display"])), .value(.list([.number(canvas), .number(canvas)]))])
  ) { value in
    if value.node.text == "display" { return nil }
    return value.numbers([("width", canvas), ("height", canvas)], or: "display").map {
      Size(width: $0[0], height: $0[1])
    }
  }
}

extension Value {
  /// The advice for a size alone: 800x480, or [800, 480]; nil for anything else.
  fileprivate var canvasAdvice: String? {
    let numbers = node.items?.map(\.text) ?? node.text?.split(separator: "x").map { String($0) }
    guard let numbers, numbers.count == 2, let width = numbers[0].flatMap({ Int($0) }),
      let height = numbers[1].flatMap({ Int($0) })
    else { return nil }
    return "write canvas: {size: [\(width), \(height)]}"
  }
}
