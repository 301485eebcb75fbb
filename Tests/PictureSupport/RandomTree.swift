import TouchCore
import TouchViews

/// Random numbers that are the same on every run of one seed. (splitmix64)
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  package mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }
  package mutating func chance(_ part: Double) -> Bool { number(0...1) < part }

  package mutating func color() -> Color {
    let bits = next()
    return Color(
      red: UInt8(bits & 255), green: UInt8(bits >> 8 & 255), blue: UInt8(bits >> 16 & 255),
      alpha: bits >> 24 & 1 == 0 ? 255 : UInt8(bits >> 32 & 255))
  }
}

/// A random tree of everything that can be painted.
package func randomWindow(_ random: inout SeededGenerator, size: Size) -> Window {
  let window = Window(size: size)
  window.appearance.background = random.chance(0.7) ? random.color() : nil
  var parents: [View] = [window]
  for index in 0..<Int.random(in: 4...14, using: &random) {
    let parent = parents.randomElement(using: &random) ?? window
    let view = randomView("view \(index)", &random, in: parent.bounds.size)
    parent.addSubview(view)
    parents.append(view)
  }
  return window
}

/// A random view without subviews, somewhere in a room.
package func randomView(_ id: String, _ random: inout SeededGenerator, in room: Size) -> View {
  // Whole and fractional coordinates are both common.
  let grain = random.chance(0.5) ? 1.0 : 0.37
  func place(_ range: ClosedRange<Double>) -> Double { (random.number(range) / grain).rounded() * grain }
  let rect = LocalRect(
    x: place(-10...room.width), y: place(-10...room.height), width: place(1...room.width),
    height: place(1...room.height))
  let view: View
  switch Int.random(in: 0...5, using: &random) {
  case 0:
    let label = Label(id: id, frame: rect)
    label.text = "Text \(id) that may be cut"
    label.textStyle = textStyle(random.number(6...30), random.color().hex, .center)
    view = label
  case 1:
    let button = Button(id: id, frame: rect)
    button.text = id
    button.textStyle = textStyle(random.number(6...30), "#ffffff", .right)
    button.isSelected = random.chance(0.5)
    button.isEnabled = random.chance(0.7)
    view = button
  case 2:
    let image = ImageView(id: id, frame: rect)
    image.path = random.chance(0.7) ? Fixture.logo : "/no/such.png"
    image.mode = ImageView.Mode.allCases.randomElement(using: &random) ?? .fit
    view = image
  default:
    view = View(id: id, frame: rect)
  }
  view.appearance.background = random.chance(0.8) ? random.color() : nil
  view.appearance.cornerRadius = random.chance(0.4) ? random.number(0...20) : 0
  view.appearance.border =
    random.chance(0.4) ? Appearance.Border(color: random.color(), width: random.number(0.5...5)) : nil
  view.alpha = random.chance(0.3) ? random.number(0...1) : 1
  view.isHidden = random.chance(0.05)
  view.clipsToBounds = random.chance(0.3)
  if random.chance(0.2) { view.bounds.origin = LocalPoint(x: random.number(-9...9), y: 3) }
  if random.chance(0.35) {
    let turn = rotation([90, 180, 30, random.number(0...360)].randomElement(using: &random) ?? 0)
    view.transform = AffineTransform.scale(x: random.number(0.4...1.6), y: random.number(0.4...1.6)).then(
      turn)
  }
  if random.chance(0.3) { view.shadow = randomShadow(&random) }
  if random.chance(0.2) { view.gradient = randomGradient(&random) }
  if view.border != nil, random.chance(0.2) { view.borderGradient = randomGradient(&random) }
  if random.chance(0.15) { view.corners = randomCorners(&random) }
  return view
}

/// A random shadow, near its view.
package func randomShadow(_ random: inout SeededGenerator) -> Shadow {
  Shadow(
    color: random.color(), blur: random.chance(0.2) ? 0 : random.number(0...14),
    offset: LocalPoint(x: random.number(-8...8), y: random.number(-8...8)), spread: random.number(-6...6))
}

/// A random gradient of any kind.
package func randomGradient(_ random: inout SeededGenerator) -> Gradient {
  var gradient = Gradient([random.color(), random.color(), random.color()])
  gradient.stops[1].place = random.number(0...1)
  gradient.kind = Gradient.Kind.allCases.randomElement(using: &random) ?? .linear
  gradient.angle = [0, 90, 180, random.number(-360...360)].randomElement(using: &random) ?? 0
  gradient.center = Point(x: random.number(0...1), y: random.number(0...1))
  gradient.radius = random.number(0.2...1.5)
  return gradient
}

/// Random corners that differ.
package func randomCorners(_ random: inout SeededGenerator) -> Corners {
  Corners(
    topLeft: random.number(0...30), topRight: random.chance(0.5) ? 0 : random.number(0...30),
    bottomRight: random.number(0...30), bottomLeft: random.chance(0.5) ? 0 : 4)
}
