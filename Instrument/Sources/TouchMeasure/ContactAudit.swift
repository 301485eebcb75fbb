import TouchCore

/// An action of a contact that its task did not require.
package struct ContactFault: Sendable {
  package enum Kind: Sendable { case extra, broken, bounced, merged, swapped, stuck }

  package var kind: Kind
  package var time: Timestamp
  package var place: PanelPoint
  /// The fault as a sentence without its end and without its time.
  package var sentence: String
}

/// Counts the contacts of each task against the required ones. A finger may come down again, and be late. It
/// does not lift for 20 ms in the middle of a line, nor is it in two places.
struct ContactAudit {
  private let trace: PanelTrace
  private let steps, discarded: [TestStep]
  private let profile: PanelProfile
  /// Whether the test went on until its last task was over.
  private let isComplete: Bool
  /// The contacts that did not end with their task, in the order of the steps.
  private var held: [(step: TestStep, contact: PanelTrace.Contact, fault: ContactFault)] = []

  /// The longest absence that is no finger's, in microseconds. A double tap takes 60 ms and more.
  private static let away: Int64 = 55_000
  /// The longest absence for repeated taps, in microseconds. A robot taps faster than `away`.
  private static let bounce: Int64 = 40_000
  /// The longest absence of a contact in motion, in microseconds, if it moves on as before.
  private static let awayInMotion: Int64 = 120_000
  /// The longest time between the lifts of fingers that lift together, in microseconds.
  private static let lifting: Int64 = 150_000
  /// The seconds after its task at which a contact counts as stuck.
  private static let outliving = 3.0
  /// The farthest way of a rested finger from one report to the next, in millimetres.
  private static let nextFinger = 8.0

  init(_ trace: PanelTrace, _ marks: TestMarks, _ profile: PanelProfile) {
    (self.trace, self.profile) = (trace, profile)
    isComplete = marks.isComplete
    steps = marks.steps
    discarded = marks.discarded
    held = steps.flatMap { step in
      trace.contacts.compactMap { contact in
        step.holds(contact) ? stuck(contact, step).map { (step, contact, $0) } : nil
      }
    }
  }

  func faults(of test: PanelTest) -> [ContactFault] {
    var faults = held.filter { $0.step.test == test }.map(\.fault)
    for step in steps where step.test == test {
      let own = trace.contacts.filter(step.holds)
      guard let asked = step.contactsAtOnce else { continue }
      let (broken, bounced) = (broken(own, step), bounced(own, step))
      let explained = Set((broken + bounced).map(\.time))
      faults += broken + bounced
      faults += extra(own, step, asked).filter { !explained.contains($0.time) }
      if asked > 1 { faults += merged(own, step) + single(own, step) }
      if test != .contacts {
        faults += trace.swaps.filter { $0.time >= step.start && $0.time < step.end }.map { swap in
          ContactFault(
            kind: .swapped, time: swap.time, place: swap.from,
            sentence: "two contacts swapped their identities")
        }
      }
    }
    return faults.sorted { $0.time < $1.time }
  }

  func strays() -> [ContactFault] {
    trace.contacts.filter { contact in
      !steps.contains { $0.holds(contact) } && !discarded.contains { $0.holds(contact) }
    }.map { contact in
      ContactFault(
        kind: .extra, time: contact.began, place: contact.reports[0].point,
        sentence: "a contact came while nothing was asked for")
    }
  }

  // MARK: Kinds

  private func length(_ units: Double) -> String {
    trace.geometry.isInMillimetres
      ? "\(PanelJudgement.text(units)) mm" : "\(PanelJudgement.text(units)) units"
  }

  /// Returns the fault of a contact without an end, a late one, or another finger's.
  private func stuck(_ contact: PanelTrace.Contact, _ step: TestStep) -> ContactFault? {
    let end = contact.end ?? max(trace.end, steps.last?.end ?? trace.end)
    let jump = jump(of: contact, after: step)
    // The last task is over when its finger lifts.
    let isLost = contact.end == nil && isComplete && step.end == steps.last?.end
    guard isLost || end.seconds(since: step.end) >= Self.outliving || jump != nil else { return nil }
    let seconds = PanelJudgement.text(end.seconds(since: contact.began))
    var sentence =
      contact.end == nil
      ? "a contact never ended: it is down until the recording's end, \(seconds) s later"
      : "a contact was stuck: it ended \(seconds) s later, \(jump == nil ? "long " : "")after its task"
    if let jump {
      sentence += "; its lift was lost, and the next finger went on with it, \(length(jump)) away"
    }
    return ContactFault(kind: .stuck, time: contact.began, place: contact.last.point, sentence: sentence)
  }

  /// Returns how far a contact jumped after its task, from a rest, as its lift was lost; nil if it did not.
  private func jump(of contact: PanelTrace.Contact, after step: TestStep) -> Double? {
    guard contact.last.time >= step.end else { return nil }
    return zip(contact.reports, contact.reports.dropFirst()).lazy.filter { before, after in
      after.time >= step.end && after.time.microseconds(since: before.time) >= Self.awayInMotion
    }.map { $0.point.distance(to: $1.point) }.first { $0 > trace.geometry.length(Self.nextFinger) }
  }

  /// Returns the earlier test whose open contact took touches of this one; nil for none.
  func intruder(in test: PanelTest) -> PanelTest? {
    for step in steps where step.test == test {
      let intruder = held.first { earlier, contact, _ in
        earlier.test != test && earlier.end <= step.start
          && contact.reports.contains { $0.time >= step.start && $0.time < step.end }
      }
      if let intruder { return intruder.step.test }
    }
    return nil
  }

  /// Returns faults of moving contacts that lift and go on at once.
  private func broken(_ own: [PanelTrace.Contact], _ step: TestStep) -> [ContactFault] {
    pairs(own, within: Self.awayInMotion).compactMap { before, after, gap in
      guard before.extent >= trace.geometry.length(3), !isAtEdge(before.last.point, step) else { return nil }
      let speed = speed(of: before)
      let distance = before.last.point.distance(to: after.reports[0].point)
      // After an absence longer than a finger's shortest, the contact must have moved on as before.
      let isOnItsWay = distance <= trace.geometry.length(5) + 2 * speed * Double(gap)
      let isQuick = gap <= Self.away || speed * Double(gap) >= trace.geometry.length(2)
      guard isOnItsWay, isQuick, step.argument != "drumroll" else { return nil }
      return ContactFault(
        kind: .broken, time: after.began, place: after.reports[0].point,
        sentence:
          "a contact broke: it came back after \(PanelJudgement.text(Double(gap) / 1000)) ms, \(length(distance)) on"
      )
    }
  }

  /// Returns faults of resting contacts that lift and return to the same place at once.
  private func bounced(_ own: [PanelTrace.Contact], _ step: TestStep) -> [ContactFault] {
    pairs(own, within: step.isRepeated ? Self.bounce : Self.away).compactMap { before, after, gap in
      let distance = before.last.point.distance(to: after.reports[0].point)
      guard before.extent < trace.geometry.length(3), distance <= trace.geometry.length(5),
        !isAtEdge(before.last.point, step)
      else { return nil }
      return ContactFault(
        kind: .bounced, time: after.began, place: after.reports[0].point,
        sentence: "a contact bounced: it came back after \(PanelJudgement.text(Double(gap) / 1000)) ms")
    }
  }

  /// Returns contacts with the nearest one that came down within a time after their end, in microseconds.
  private func pairs(_ own: [PanelTrace.Contact], within time: Int64)
    -> [(before: PanelTrace.Contact, after: PanelTrace.Contact, gap: Int64)]
  {
    own.compactMap { before in
      guard let end = before.end else { return nil }
      let next = own.lazy.filter { after in
        after.serial != before.serial && after.began >= end && after.began.microseconds(since: end) <= time
      }.min {
        before.last.point.distance(to: $0.reports[0].point)
          < before.last.point.distance(to: $1.reports[0].point)
      }
      return next.map { (before, $0, $0.began.microseconds(since: end)) }
    }
  }

  /// Returns whether a point is at an edge, where a rubbing finger leaves the panel and returns.
  private func isAtEdge(_ point: PanelPoint, _ step: TestStep) -> Bool {
    (step.test == .deadzone || step.test == .edge) && trace.geometry.isAtEdge(point)
  }

  /// Returns the speed before the end, in units of the panel per microsecond.
  private func speed(of contact: PanelTrace.Contact) -> Double {
    let last = contact.reports.suffix(4)
    guard let first = last.first, let end = last.last else { return 0 }
    let time = end.time.microseconds(since: first.time)
    return time > 0 ? first.point.distance(to: end.point) / Double(time) : 0
  }

  /// Returns faults of contacts beyond the required number that are no attempt at the task.
  private func extra(_ own: [PanelTrace.Contact], _ step: TestStep, _ asked: Int) -> [ContactFault] {
    func fault(_ contact: PanelTrace.Contact, _ sentence: String) -> ContactFault {
      ContactFault(kind: .extra, time: contact.began, place: contact.reports[0].point, sentence: sentence)
    }
    let count = asked == 1 ? "one contact was" : "\(asked) contacts were"
    var faults: [ContactFault] = []
    for (index, contact) in own.enumerated() {
      let others = own[..<index].filter {
        $0.end ?? contact.began.advanced(byMicroseconds: 1) > contact.began
      }
      let distances = others.map { $0.point(at: contact.began).distance(to: contact.reports[0].point) }
      if others.count >= asked {
        let nearest = distances.min() ?? 0
        faults.append(
          fault(
            contact,
            nearest <= trace.geometry.length(20)
              ? "a contact split: another one came \(length(nearest)) beside it, where \(count) asked for"
              : "a contact came \(length(nearest)) beside the finger, where \(count) asked for"))
      } else if index > 0, others.isEmpty, !isTry(contact, step) {
        faults.append(fault(contact, "a contact came that was not asked for"))
      }
    }
    let most = Double(step.contactsInAll(profile) ?? .max)
    if Double(own.count - faults.count) > 1.1 * most, let last = own.last {
      for _ in 0..<(own.count - faults.count - Int(most)) {
        faults.append(fault(last, "\(own.count) contacts came for \(Int(most)) taps"))
      }
    }
    return faults
  }

  /// Returns whether a finger that repeats its task could have made a contact.
  private func isTry(_ contact: PanelTrace.Contact, _ step: TestStep) -> Bool {
    let seconds = (contact.end ?? contact.last.time).seconds(since: contact.began)
    switch step.test {
    // These steps are over with the first touch.
    case .mapping, .grid: return false
    // A finger that trembles on an edge leaves the panel and returns.
    case .edge where isAtEdge(contact.reports[0].point, step): return true
    case .edge, .border, .line, .gaps:
      return contact.extent >= trace.geometry.length(10) || profile.touchedBy == .hand && seconds >= 0.1
    case .rate, .jitter, .start, .contacts, .pairs, .noise:
      return step.isRepeated || contact.extent >= trace.geometry.length(10) || seconds >= 0.1
    case .taps, .latency, .deadzone, .ghost, .protocol: return true
    }
  }

  /// Returns faults of fingers that came closer, of which one was lost while the other stayed.
  private func merged(_ own: [PanelTrace.Contact], _ step: TestStep) -> [ContactFault] {
    // In these tasks one finger lifts while the other one stays.
    guard step.argument != "drumroll", step.argument != "resting" else { return [] }
    return merges(own).map { merge in
      ContactFault(
        kind: .merged, time: merge.time, place: merge.place,
        sentence: "two contacts \(length(merge.distance)) apart became one")
      // The nearness of fingers has a limit of its own.
    }.filter { _ in step.argument != "pinch" && step.test != .pairs }
  }

  /// Returns the fault of two fingers side by side that were one contact from the start.
  private func single(_ own: [PanelTrace.Contact], _ step: TestStep) -> [ContactFault] {
    guard step.test == .pairs, step.argument != "crossing", let first = own.first,
      own.allSatisfy({ $0.fingers == 1 })
    else { return [] }
    return [
      ContactFault(
        kind: .merged, time: first.began, place: first.reports[0].point,
        sentence: "one contact came where two fingers were asked for")
    ]
  }

  func merges(_ own: [PanelTrace.Contact]) -> [(distance: Double, time: Timestamp, place: PanelPoint)] {
    own.compactMap { lost in
      guard let end = lost.end else { return nil }
      let before = end.advanced(byMicroseconds: -200_000)
      return own.compactMap { other -> (distance: Double, time: Timestamp, place: PanelPoint)? in
        let otherEnd = other.end ?? trace.end.advanced(byMicroseconds: 1)
        guard other.serial != lost.serial, other.began < end, otherEnd > end else { return nil }
        // In the frame of the lift the remaining contact may already jump.
        let last = other.reports.last { $0.time < end }?.point ?? other.reports[0].point
        let distance = lost.last.point.distance(to: last)
        let approach = lost.point(at: before).distance(to: other.point(at: before)) - distance
        let jump = last.distance(to: other.point(at: end.advanced(byMicroseconds: 30_000)))
        guard distance <= trace.geometry.length(40),
          approach >= trace.geometry.length(3) || jump >= max(distance / 4, trace.geometry.length(3))
        else { return nil }
        // Fingers that lift one after the other do not jump.
        guard
          otherEnd.microseconds(since: end) >= Self.lifting
            || leap(of: other, to: lost.last.point, from: end) >= max(distance / 4, trace.geometry.length(3))
        else { return nil }
        return (distance, end, last)
      }.min { $0.distance < $1.distance }
    }
  }

  /// Returns how much farther a contact moved to a place than before, within 30 ms.
  private func leap(of contact: PanelTrace.Contact, to place: PanelPoint, from time: Timestamp) -> Double {
    let latest = time.advanced(byMicroseconds: 30_000)
    let ways = zip(contact.reports, contact.reports.dropFirst()).map { before, after in
      (time: after.time, step: before.point.distance(to: place) - after.point.distance(to: place))
    }
    return zip(ways, ways.dropFirst()).lazy.filter { $1.time >= time && $1.time <= latest }
      .map { $1.step - max(0, $0.step) }.max() ?? 0
  }

  /// Returns the least distance of two contacts of a task while both were down; nil if they never were.
  func nearest(_ own: [PanelTrace.Contact]) -> Double? {
    var nearest: Double?
    for (index, one) in own.enumerated() {
      for other in own[(index + 1)...] {
        let ends = [one, other].map { $0.end ?? trace.end.advanced(byMicroseconds: 1) }
        let (from, to) = (max(one.began, other.began), min(ends[0], ends[1]))
        guard from < to else { continue }
        for report in one.reports + other.reports where report.time >= from && report.time < to {
          let distance = one.point(at: report.time).distance(to: other.point(at: report.time))
          nearest = min(nearest ?? .infinity, distance)
        }
      }
    }
    return nearest
  }
}

extension TestStep {
  /// The number of contacts required at once; nil if any number is right, or each one is a ghost.
  fileprivate var contactsAtOnce: Int? {
    switch test {
    case .mapping, .grid, .edge, .border, .line, .start, .taps, .gaps, .deadzone, .noise, .latency: 1
    case .pairs: 2
    case .rate, .jitter: Int(argument).map { max(1, min($0, 100)) } ?? 1
    case .contacts: isRepeated || argument == "pinch" ? 2 : Int(argument).map { max(1, min($0, 100)) }
    case .ghost, .protocol: nil
    }
  }

  /// Whether the step requires contacts that follow one another quickly.
  fileprivate var isRepeated: Bool {
    test == .taps || test == .latency || test == .pairs && argument == "resting" || argument == "drumroll"
  }

  /// Returns the number of contacts required in all; nil if it is open.
  fileprivate func contactsInAll(_ profile: PanelProfile) -> Int? {
    // Recordings of earlier versions do not contain the required number of taps.
    test == .taps ? Int(argument).map { max(1, min($0, 100_000)) } ?? max(profile.taps, 20) : nil
  }
}
