import TouchCore
import TouchPixels

/// The known facts about a present display, found without changing it, for `touchtree displays`.
package struct DisplayReport: Hashable, Sendable {
  /// The name for `--display`: `/dev/fb0`, `kms:HDMI-A-1`.
  package var name: String
  package var kind: String
  /// The node of a connector's card; nil for other displays.
  package var card: String?
  package var driver: String?
  /// The size of the present mode, or of the mode that would be set, in pixels.
  package var size: Size?
  package var format: String?
  /// Whether something is connected; nil if unknown.
  package var isConnected: Bool?
  /// The modes for `display: {mode:}`, the best first.
  package var modes: [String] = []
  /// The mode that is set unless another one is requested.
  package var preferredMode: String?
  package var millimetres: Size?
  /// The clockwise rotation of `rotation: auto`; nil if the driver does not report how the panel is mounted.
  package var mounting: DisplayGeometry.Rotation?
  /// The process of a touchtree that has the card and lends this connector, or has already lent it.
  package var lender: Int?
  /// The reason why the display cannot be used; nil if it can.
  package var refusal: String?
  package var isUsed = false
  package var reason = ""

  /// Returns the displays of all kinds, and the reasons why a possible kind has none.
  package static func survey(among kinds: [DisplayKind] = DisplayKind.all) -> (
    reports: [DisplayReport], absences: [String]
  ) {
    var reports: [DisplayReport] = []
    var absences: [String] = []
    for kind in kinds {
      guard let survey = kind.survey else { continue }
      do throws(DisplayError) {
        let found = try survey()
        if let first = reports.first(where: \.isUsed) {
          reports += found.map { $0.notTaken(because: first.name) }
        } else {
          reports += found
        }
      } catch {
        absences.append(error.description)
      }
    }
    return (reports, absences)
  }

  mutating func refuse(_ reason: String) { (refusal, self.reason) = (reason, reason) }

  /// Returns the report of a display that `auto` passes over for another one.
  func notTaken(because other: String) -> DisplayReport {
    guard isUsed || refusal == nil else { return self }
    var report = self
    report.isUsed = false
    report.reason = "auto takes \(other); --display \(name) takes this one"
    return report
  }
}
