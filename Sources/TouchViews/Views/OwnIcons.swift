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

  /// The path data by the names.
  static let data: [String: String] = {
    var data: [String: String] = [:]
    for row in table.split(separator: "\n") {
      let parts = row.split(separator: "|").map(String.init)
      (data[parts[0]], data[parts[0] + outline]) = (parts[1], parts[2])
    }
    return data
  }()
  private static let outline = "-outline"

  static func drawing(_ name: String) -> Drawing? {
    data[name].flatMap { Path(svg: $0) }.map {
      Drawing(path: $0, line: name.hasSuffix(outline) ? line : nil)
    }
  }

  /// `Icons/own-icons.txt`: on each line the name, the path that is filled, and the one along which lines are
  /// drawn.
  private static let table = String(decoding: PackageResources.own_icons_txt, as: UTF8.self)
}
