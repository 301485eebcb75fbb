import TouchCore
import TouchSystem
import TouchViews

extension ConfigurationReader {
  /// Reads the gestures of a view, or of the window.
  /// - Parameter owner: the view's place in `configuration.views`; nil for the window.
  mutating func readGestures(_ value: Value?, owner: Int?) {
    let advice = "give a list of gestures: [{kind: tap, handlers: [log]}]"
    for item in value?.list(advice, of: "a gesture") ?? [] {
      let missing = "write {kind: tap}, or remove the \"-\""
      guard let fields = item.fields(Configuration.Gesture.keys.table, missing: missing),
        let gesture = gesture(fields, owner: owner)
      else { continue }
      if let actions = fields.unlessNull("actions") {
        unreadActions.append((actions, .gesture(configuration.gestures.count)))
      }
      configuration.gestures.append(gesture)
    }
  }

  private mutating func gesture(_ fields: Fields, owner: Int?) -> Configuration.Gesture? {
    let written = fields["id"].flatMap(identifier)
    if let written, let place = fields["id"]?.node.place { names.add(written, .gesture, at: place) }
    let handlers = handlerNames(fields["handlers"])
    guard let kind = fields.require("kind")?.choice(Configuration.Gesture.Kind.self) else { return nil }
    fields.refuseKeys(unlike: kind.rawValue)
    var gesture = Configuration.Gesture(id: written ?? "", kind: kind, owner: owner, place: fields.node.place)
    gesture.handlers = handlers
    fields.read(Configuration.Gesture.keys, into: &gesture, of: kind.rawValue)
    if let value = fields.unlessNull("transforms"),
      let id = value.nonEmptyText("give the id of a view").map(value.node.global)
    {
      names.transforms.append(Names.Reference(name: id, place: value.node.place))
      gesture.transforms = id
    }
    gesture.requireToFail = gestureNames(fields["require_to_fail"])
    gesture.simultaneousWith = gestureNames(fields["simultaneous_with"])
    return gesture
  }

  /// The ids of other gestures, which may stand anywhere in the file.
  private mutating func gestureNames(_ value: Value?) -> [String] {
    let advice = "give a list of gestures' ids, such as [twice]"
    return (value?.list(advice, of: "a gesture's id") ?? []).compactMap { item in
      guard let written = item.nonEmptyText("give the id of another gesture") else { return nil }
      // A scroll view's own pan is called after the view.
      let id =
        written.hasSuffix(".pan")
        ? item.node.global(String(written.dropLast(4))) + ".pan" : item.node.global(written)
      names.gestureReferences.append(Names.Reference(name: id, place: item.node.place))
      return id
    }
  }

  /// Gives every gesture without an id one that says what it is: `photo-tap`, and then `photo-tap-2`.
  mutating func nameNamelessGestures() {
    var taken = Set<String>()
    var counts: [String: Int] = [:]
    for index in configuration.gestures.indices where configuration.gestures[index].id.isEmpty {
      let gesture = configuration.gestures[index]
      let owner = gesture.owner.map { configuration.views[$0].id } ?? configuration.window.id
      let name = "\(owner)-\(gesture.kind.rawValue)"
      var count = counts[name, default: 0]
      var id: String
      repeat {
        count += 1
        id = count == 1 ? name : "\(name)-\(count)"
      } while names.isTaken(id) || taken.contains(id)
      counts[name] = count
      taken.insert(id)
      configuration.gestures[index].id = id
    }
  }

  // MARK: References

  /// Checks that gestures refer to gestures, and that none waits for itself in the end.
  mutating func resolveGestures() {
    guard !names.gestureReferences.isEmpty else { return }
    let pans = Set(configuration.views.lazy.compactMap(\.panID))
    let ids = names.ids { $0 == .gesture } + pans.sorted()
    for reference in names.gestureReferences
    where !names.isGesture(reference.name) && !pans.contains(reference.name) {
      refuse(
        reference, "no gesture has the id", among: ids,
        otherwise: "give a gesture's id, or that of a scroll view's own pan, such as list.pan")
    }
    for circle in circles() {
      let ids = circle.map(\.id.escaped)
      let path = ids.count > 9 ? ids.prefix(8) + ["…"] + ids.suffix(1) : ids
      report.add(
        at: circle[0].place,
        "the gesture \"\(ids[0])\" waits in the end for itself to fail (\(path.joined(separator: " → "))); "
          + "remove one of the require_to_fail")
    }
  }

  /// The ways on which a gesture waits for itself, each from one gesture back to it.
  private func circles() -> [[Configuration.Gesture]] {
    let gestures = configuration.gestures
    let places = Dictionary(
      gestures.indices.map { (gestures[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    // Each reference is followed once, the first one first.
    var waits = gestures.map { gesture in gesture.requireToFail.reversed().compactMap { places[$0] } }
    var isOnPath = [Bool](repeating: false, count: gestures.count)
    var circles: [[Configuration.Gesture]] = []
    for start in gestures.indices {
      var path = [start]
      isOnPath[start] = true
      while let gesture = path.last {
        guard let next = waits[gesture].popLast() else {
          isOnPath[gesture] = false
          path.removeLast()
          continue
        }
        if isOnPath[next], let begin = path.lastIndex(of: next) {
          circles.append((path[begin...] + [next]).map { gestures[$0] })
        } else if !waits[next].isEmpty {
          path.append(next)
          isOnPath[next] = true
        }
      }
    }
    return circles
  }
}

extension Configuration.View {
  /// The name of the recogniser that scrolls the view, as traces have it; nil for a view that does not follow
  /// a finger.
  package var panID: String? {
    let slides = (value(of: .slide, as: ScrollView.Axis?.self) ?? nil) != nil
    return kind == .scroll || rows != nil || slides ? "\(id).pan" : nil
  }
}
