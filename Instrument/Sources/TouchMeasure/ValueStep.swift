/// The step of an axis's values, in which a controller rounds its positions.
struct ValueStep {
  /// The step in units of the device.
  private var units = 1
  private let unit: Double

  /// The largest step in millimetres. Larger ones are ways of a finger.
  private static let largest = 2.0
  /// The fewest movements along the axis that tell a step.
  private static let fewest = 40
  /// The least share of single steps, and of others: an even machine has equal ones.
  private static let (single, uneven) = (0.1, 0.05)

  /// - Parameter unit: one unit of the device along the axis, in units of the panel.
  init(_ contacts: [PanelTrace.Contact], unit: Double, of axis: KeyPath<PanelPoint, Double>) {
    self.unit = unit
    guard unit > 0 else { return }
    var ways: [(units: Int, time: Int64)] = []
    var turns = 0
    for contact in contacts {
      var last = 0
      for (one, next) in zip(contact.reports, contact.reports.dropFirst()) {
        let way = ((next.point[keyPath: axis] - one.point[keyPath: axis]) / unit).rounded()
        guard way != 0, let units = Int(exactly: way) else { continue }
        ways.append((abs(units), next.time.microseconds(since: one.time)))
        if units.signum() * last < 0 { turns += 1 }
        last = units.signum()
      }
    }
    guard ways.count >= Self.fewest else { return }
    let step = ways.reduce(0) { Self.divisor($0, $1.units) }
    let usual = ways.map(\.time).sorted()[ways.count / 2]
    let timely = ways.filter { 2 * $0.time <= 3 * usual }
    let (one, more) = (timely.count { $0.units == step }, timely.count { $0.units > step })
    guard Double(one) >= Self.single * Double(ways.count),
      Double(max(more, turns)) >= Self.uneven * Double(ways.count)
    else { return }
    units = step
  }

  /// Returns the step in units of the panel, or the device's unit if the step is too large for one.
  func length(in geometry: PanelGeometry) -> Double {
    let length = unit * Double(units)
    return length <= geometry.length(Self.largest) ? length : unit
  }

  /// Returns the greatest common divisor. (Euclid.)
  private static func divisor(_ one: Int, _ other: Int) -> Int {
    var (one, other) = (one, other)
    while other != 0 { (one, other) = (other, one % other) }
    return one
  }
}
