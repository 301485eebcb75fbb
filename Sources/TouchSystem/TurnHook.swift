import TouchCore

/// What is done at the end of each turn of the loop, when everything that was ready has been served: in this order, and in a stage
/// in the order in which the hooks were added.
package enum TurnStage: Int, Sendable {
  /// Moves are delivered: every frame that was there has been read, so a finger that moved three times moves once.
  case deliver
  /// Time passes for filters and gestures: after the frames, since one of them may say that the finger lifted in time.
  case advance
  /// Time passes for a display that is not touched: a touch that a filter has just released wakes it.
  case rest
  /// Properties that are expressions follow what they read, whoever changed it in this turn.
  case follow
  /// Views are laid out and painted, and the display presents them: after all that changes views, and before everything that
  /// a finger need not wait for.
  case paint
  /// The turn's delays are counted: the last one ends when the pixels are shown.
  case count
  /// Clients and processes get what waits for them: an answer says that the display shows what was changed.
  case send
  /// Viewers get what changed: their copy is painted for that, and all others have got theirs.
  case share
  /// Statistics, pictures and the trace are written: nobody waits for files.
  case record
}

/// Does something at the end of each turn: see `EventLoop.addHook(_:at:)`.
package protocol TurnHook: AnyObject {
  /// Where it is in the loop, which sets it; nil gives the place up.
  var turnPlace: TurnPlace? { get set }

  /// - Parameter now: the monotonic clock, read once for all stages after `deliver`: every handler of the turn has returned.
  ///   Zero in `deliver`: moves have the times of their frames.
  func turnEnds(at now: Timestamp)
}

/// The place of a hook in a loop. The hook keeps it, and so the loop need not keep the hook.
package final class TurnPlace {
  private let loop: EventLoop
  private let id: Int

  init(_ id: Int, in loop: EventLoop) {
    self.id = id
    self.loop = loop
  }

  deinit {
    loop.removeHook(id)
  }
}
