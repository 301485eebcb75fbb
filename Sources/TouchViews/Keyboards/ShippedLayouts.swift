extension KeyboardLayout {
  /// The layouts of `config/keyboards`, by name, so that this module needs no YAML. A test compares the two.
  public static let shipped = Dictionary(uniqueKeysWithValues: inOrder)

  /// The names of the shipped layouts, in the order of the documents.
  public static let names = inOrder.map(\.0)

  /// Returns the name of the layout for a language, such as `de` or `en_GB`; nil if there is none.
  public static func name(for language: String) -> String? {
    let language = String(language.map { $0 == "-" ? "_" : $0 })
    let prefix = String(language.prefix { $0 != "_" })
    return names.first { shipped[$0]?.language == language }
      ?? names.first { shipped[$0]?.language == prefix && !prefix.isEmpty }
  }

  /// `shipped-layouts.txt`: on each line the name, the language, the rows, the capitals and the variants.
  private static let inOrder = String(decoding: PackageResources.shipped_layouts_txt, as: UTF8.self)
    .split(separator: "\n").compactMap { line -> (String, KeyboardLayout)? in
      let parts = line.split(separator: "|", omittingEmptySubsequences: false)
      func parted(_ part: Int) -> [String] { parts[part].split(separator: "/").map(String.init) }
      func table(_ part: Int) -> [String: String] {
        Dictionary(
          uniqueKeysWithValues: parted(part).compactMap { entry in
            entry.firstIndex(of: " ").map { (String(entry[..<$0]), String(entry[entry.index(after: $0)...])) }
          })
      }
      let layout = try? KeyboardLayout(
        language: String(parts[1]), rows: parted(2), shifted: table(3), variants: table(4))
      return layout.map { (String(parts[0]), $0) }
    }
}
