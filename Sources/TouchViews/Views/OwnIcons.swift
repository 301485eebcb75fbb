/// The icons that panels need and the installed font does not have, as path data of SVG on 24 × 24 units.
///
/// Each has two forms: the name alone is filled, and the name with `-outline` is drawn by lines.
enum OwnIcons {
  /// A drawing of an icon.
  struct Drawing {
    let path: Path
    /// The width of the line along the path; nil for a path that is filled.
    var line: Double?
  }

  /// The side of the square in which a path of an icon is drawn.
  static let side = 24.0
  private static let line = 1.8

  /// The drawings by the names.
  static let drawings: [String: Drawing] = {
    var drawings: [String: Drawing] = [:]
    for row in data.split(separator: "\n") {
      let parts = row.split(separator: "|").map(String.init)
      drawings[parts[0]] = Path(svg: parts[1]).map { Drawing(path: $0) }
      drawings[parts[0] + "-outline"] = Path(svg: parts[2]).map { Drawing(path: $0, line: line) }
    }
    return drawings
  }()

  /// `Icons/own-icons.txt`: on each line the name, the path that is filled, and the one along which lines are
  /// drawn.
  private static let data = String(decoding: PackageResources.own_icons_txt, as: UTF8.self)
}
