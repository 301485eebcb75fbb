import TouchCore

/// A filter that moves each contact by itself, with its memory at the chain's index for it.
protocol PositionFilter: AnyObject {
  /// Begins a contact. The memory at the index belongs to an earlier one.
  func begin(_ index: Int, at position: Point<DeviceSpace>)

  /// Returns the next position of a contact, after a positive number of seconds.
  func next(_ index: Int, _ position: Point<DeviceSpace>, after seconds: Double) -> Point<DeviceSpace>

  /// Returns the next position of a contact that rests, which may be short of the place of rest.
  func rest(_ index: Int, _ position: Point<DeviceSpace>, after seconds: Double) -> Point<DeviceSpace>

  /// Whether the filter may still move a contact that itself does not move.
  var trails: Bool { get }
}

/// Holds a contact still while it moves by no more than a margin from where it is shown.
final class HysteresisFilter: PositionFilter {
  private let marginX, marginY: Double
  private var shown: [Point<DeviceSpace>] = []
  let trails = false

  init(marginX: Double, marginY: Double) { (self.marginX, self.marginY) = (marginX, marginY) }

  func begin(_ index: Int, at position: Point<DeviceSpace>) {
    while shown.count <= index { shown.append(.zero) }
    shown[index] = position
  }

  func next(_ index: Int, _ position: Point<DeviceSpace>, after seconds: Double) -> Point<DeviceSpace> {
    // The contact drags a box along: only a wall of the box moves the shown position.
    let old = shown[index]
    let new = Point<DeviceSpace>(
      x: min(max(old.x, position.x - marginX), position.x + marginX),
      y: min(max(old.y, position.y - marginY), position.y + marginY))
    shown[index] = new
    return new
  }

  func rest(_ index: Int, _ position: Point<DeviceSpace>, after seconds: Double) -> Point<DeviceSpace> {
    next(index, position, after: seconds)
  }
}

/// The median of the last positions, for each axis by itself.
final class MedianFilter: PositionFilter {
  private let samples: Int
  /// The last positions. The contact at index i has a ring from i × samples on.
  private var windows: [Point<DeviceSpace>] = []
  private var oldest: [Int] = []
  private var sorted: [Double] = []
  let trails = true

  init(samples: Int) {
    self.samples = samples
    sorted.reserveCapacity(samples)
  }

  func begin(_ index: Int, at position: Point<DeviceSpace>) {
    while oldest.count <= index {
      oldest.append(0)
      for _ in 0..<samples { windows.append(.zero) }
    }
    fill(index, with: position)
  }

  func next(_ index: Int, _ position: Point<DeviceSpace>, after seconds: Double) -> Point<DeviceSpace> {
    windows[index * samples + oldest[index]] = position
    oldest[index] = (oldest[index] + 1) % samples
    return Point(x: middle(index) { $0.x }, y: middle(index) { $0.y })
  }

  func rest(_ index: Int, _ position: Point<DeviceSpace>, after seconds: Double) -> Point<DeviceSpace> {
    // A position that the device does not change is no outlier.
    fill(index, with: position)
    return position
  }

  private func fill(_ index: Int, with position: Point<DeviceSpace>) {
    for sample in 0..<samples { windows[index * samples + sample] = position }
  }

  private func middle(_ index: Int, of axis: (Point<DeviceSpace>) -> Double) -> Double {
    sorted.removeAll(keepingCapacity: true)
    for sample in 0..<samples {
      let value = axis(windows[index * samples + sample])
      sorted.insert(value, at: sorted.firstIndex { $0 > value } ?? sorted.endIndex)
    }
    return sorted[samples / 2]
  }
}

/// A low-pass filter whose cutoff rises with the contact's speed.
/// (Casiez, Roussel, Vogel: 1€ Filter, CHI 2012.)
final class OneEuroFilter: PositionFilter {
  private struct State {
    var position = Point<DeviceSpace>.zero
    var last = Point<DeviceSpace>.zero
    /// The smoothed speed, in ranges a second.
    var speedX = 0.0
    var speedY = 0.0
  }

  private let settings: OneEuroSettings
  /// The device's width, in its units.
  private let width: Double
  private let height: Double
  private var states: [State] = []
  let trails = true

  init(_ settings: OneEuroSettings, x: AxisRange, y: AxisRange) {
    self.settings = settings
    width = x.width
    height = y.width
  }

  func begin(_ index: Int, at position: Point<DeviceSpace>) {
    while states.count <= index { states.append(State()) }
    states[index] = State(position: position, last: position)
  }

  func next(_ index: Int, _ position: Point<DeviceSpace>, after seconds: Double) -> Point<DeviceSpace> {
    var state = states[index]
    let smoothing = Self.smoothing(cutoff: OneEuroSettings.speedCutoff, after: seconds)
    state.speedX += smoothing * ((position.x - state.last.x) / width / seconds - state.speedX)
    state.speedY += smoothing * ((position.y - state.last.y) / height / seconds - state.speedY)
    // One cutoff for both axes: a contact keeps its direction.
    let speed = (state.speedX * state.speedX + state.speedY * state.speedY).squareRoot()
    let weight = Self.smoothing(cutoff: settings.minimumCutoff + settings.slope * speed, after: seconds)
    state.position.x += weight * (position.x - state.position.x)
    state.position.y += weight * (position.y - state.position.y)
    state.last = position
    states[index] = state
    return state.position
  }

  func rest(_ index: Int, _ position: Point<DeviceSpace>, after seconds: Double) -> Point<DeviceSpace> {
    let shown = next(index, position, after: seconds)
    // The device cannot report half a unit.
    guard abs(shown.x - position.x) <= 0.5 && abs(shown.y - position.y) <= 0.5 else { return shown }
    states[index].position = position
    return position
  }

  /// Returns the share of a step that a low-pass filter takes at once, from 0 to 1.
  private static func smoothing(cutoff: Double, after seconds: Double) -> Double {
    let time = 2 * Double.pi * cutoff * seconds
    return time / (time + 1)
  }
}

extension AxisRange {
  /// The width in device units; at least one, whatever the device declares.
  var width: Double { max(1, Double(maximum) - Double(minimum) + 1) }
}
