import TouchCore

/// A file of a configuration, with what it contains.
package struct ConfigurationSource: Hashable, Sendable {
  /// The path, as it was given; of an included one as it is opened.
  package let file: String
  package let text: [UInt8]

  package init(file: String, text: [UInt8]) { (self.file, self.text) = (file, text) }
}

/// The origins of the parts of a configuration, which a `SourceLocation` has as numbers.
package struct Origins: Hashable, Sendable {
  package struct Instance: Hashable, Sendable {
    /// Of the view.
    package let id: String
    /// The place in the file.
    package let place: SourceLocation

    /// The end of a message about the template: who uses it so, and where.
    /// - Parameter file: the one that the instance stands in.
    /// - Parameter template: the one that the message is about.
    func suffix(in file: String, from template: String) -> String {
      " (in \"\(id.escaped)\", \(place.words(in: file, from: template)))"
    }
  }

  /// The file that was asked for, and those that it includes.
  package var files: [String] = []
  package var instances: [Instance] = []

  /// The file of a place; nil for one that is none.
  package func file(of place: SourceLocation) -> String? {
    files.indices.contains(Int(place.file)) ? files[Int(place.file)] : nil
  }

  /// A place in a sentence: its line, its column, and its file, if that is not the one that was asked for.
  package func words(for place: SourceLocation) -> String {
    place.words(in: file(of: place) ?? "", from: files.first ?? "")
  }

  /// The end of a message about a place: the instance that repeats it, if one does.
  package func suffix(of place: SourceLocation) -> String {
    guard place.instance > 0, instances.indices.contains(Int(place.instance) - 1) else { return "" }
    let instance = instances[Int(place.instance) - 1]
    return instance.suffix(in: file(of: instance.place) ?? "", from: file(of: place) ?? "")
  }
}

extension SourceLocation {
  /// `line 3, column 5`, and the file in which that is, unless the sentence is about the same one.
  func words(in file: String, from other: String) -> String {
    "line \(line), column \(column)" + (file == other ? "" : " of \(file)")
  }

  /// The place in the file, whoever repeats it.
  package var withoutInstance: SourceLocation { SourceLocation(line: line, column: column, file: file) }
}
