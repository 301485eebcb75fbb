import TouchCore
import TouchPixels

/// What is known of a display that is there, without changing it: for `touchtree displays`.
package struct DisplayReport: Hashable, Sendable {
  /// As `--display` takes it: `/dev/fb0`, `kms:HDMI-A-1`.
  package var name: String
  /// `framebuffer` or `connector`.
  package var kind: String
  /// The node of the card that a connector belongs to; nil for others.
  package var card: String?
  package var driver: String?
  /// In pixels: its present mode, or the one that would be set.
  package var size: Size?
  /// How its pixels are stored, in words.
  package var format: String?
  /// Whether something is connected; nil where that is not known.
  package var isConnected: Bool?
  /// As `display: {mode:}` takes them, the best first.
  package var modes: [String] = []
  /// The one that is set if no other is asked for.
  package var preferredMode: String?
  /// Of the panel's picture.
  package var millimetres: Size?
  /// How the picture is turned by `rotation: auto`, clockwise; nil where the driver does not say how the panel is mounted.
  package var mounting: DisplayGeometry.Rotation?
  /// The process that has the card, if it is a touchtree and lends this connector, or has lent it already.
  package var lender: Int?
  /// Why it cannot be used; nil where it can.
  package var refusal: String?
  /// Whether `auto` takes it.
  package var isUsed = false
  /// Why `auto` takes it, or does not.
  package var reason = ""

  /// All displays of all kinds.
  ///
  /// - Returns: none, if there are none; and why there is none of a kind that there may be.
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

  /// Notes why it cannot be used.
  mutating func refuse(_ reason: String) {
    (refusal, self.reason) = (reason, reason)
  }

  /// One that `auto` does not take, since it takes another one.
  func notTaken(because other: String) -> DisplayReport {
    guard isUsed || refusal == nil else { return self }
    var report = self
    report.isUsed = false
    report.reason = "auto takes \(other); --display \(name) takes this one"
    return report
  }
}
