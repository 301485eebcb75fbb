import TouchCore

/// How the state of a control changes what its appearance says.
enum ControlStyle {
  /// Left and right of a button's title, in units of the button.
  static let buttonPadding = 8.0
  /// A disabled control is seen through this.
  static let disabledAlpha = 0.38
  /// What is shown in the place of a picture that cannot be read.
  static let placeholderFill = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0x30)
  static let placeholderLine = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0xd0)

  /// The view's own opacity, 0 … 255, without its ancestors'. An alpha that is not a number is none.
  static func opacity(of view: View) -> UInt32 {
    var alpha = view.alpha
    if let control = view as? Control, !control.isEnabled { alpha *= disabledAlpha }
    return alpha > 0 ? UInt32(min(1, alpha) * 255 + 0.5) : 0
  }

  /// Whether no two things that the view itself paints can overlap.
  static func paintsAtMostOnce(_ view: View) -> Bool {
    let appearance = view.appearance
    let content =
      switch view {
      case let label as Label: !label.text.isEmpty
      case let button as Button: !button.text.isEmpty
      case let image as ImageView: !image.path.isEmpty
      default: false
      }
    let ring = (view as? Control)?.isSelected ?? false
    return (background(of: view) != nil ? 1 : 0) + (content ? 1 : 0) + (appearance.border != nil ? 1 : 0)
      + (ring ? 1 : 0) <= 1
  }

  /// The background's colour: while a control is pressed a dark one is lighter and a light one darker. A control
  /// without a background shows a faint one while it is pressed.
  static func background(of view: View) -> Color? {
    let background = view.appearance.background
    guard let control = view as? Control, control.isHighlighted else { return background }
    guard let background, background.alpha > 0 else {
      return Color(red: 255, green: 255, blue: 255, alpha: 0x28)
    }
    return background.isLight ? background.mixed(with: 0, parts: 40) : background.mixed(with: 255, parts: 40)
  }

  /// The ring that marks a selected control: its own width away from the edge.
  static func selectionRing(of view: View) -> BorderShape? {
    guard let control = view as? Control, control.isSelected else { return nil }
    let color = (control as? Button)?.textStyle.color ?? Color(red: 255, green: 255, blue: 255)
    return BorderShape(color: color, width: 2)
  }
}

extension Color {
  /// Whether black reads better on the colour than white. (ITU-R BT.601 luma.)
  fileprivate var isLight: Bool {
    299 * Int(red) + 587 * Int(green) + 114 * Int(blue) > 150 * 1000
  }

  /// The colour with `parts` of 255 parts of a grey in it.
  fileprivate func mixed(with grey: Int, parts: Int) -> Color {
    func mix(_ channel: UInt8) -> UInt8 { UInt8((Int(channel) * (255 - parts) + grey * parts + 127) / 255) }
    return Color(red: mix(red), green: mix(green), blue: mix(blue), alpha: alpha)
  }
}
