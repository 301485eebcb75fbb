import TouchCore

/// The stages at the end of each turn, in this order; hooks of a stage in that of their adding.
package enum TurnStage: Int, Sendable {
  /// Moves are delivered. Every frame has been read by now, so a finger that moved three times moves once.
  case deliver
  /// Time passes for filters and gestures: after the frames, which may report a lift in time.
  case advance
  /// Time passes for a display that is not touched: a touch that a filter has just released wakes it.
  case rest
  /// Properties with expressions follow the values that they read, whoever changed them in this turn.
  case follow
  /// Views are laid out, painted and presented: after what changes them, before what no finger waits for.
  case paint
  /// The turn's delays are counted: the last one ends when the pixels are shown. The timer is armed for the
  /// next deadline, which drawing may have set.
  case count
  /// Clients and processes get their waiting messages: an answer means that the display shows the change.
  case send
  /// Viewers get the changes: their copy is painted for that, after all others have got theirs.
  case share
  /// Statistics, pictures and the trace are written: nobody waits for files.
  case record
}

/// An object that is called at the end of each turn: see `EventLoop.addHook(_:at:)`.
package protocol TurnHook: AnyObject {
  /// The place in the loop, which sets it; nil gives the place up.
  var turnPlace: TurnPlace? { get set }

  /// Called at the end of a turn.
  /// - Parameter now: the monotonic clock, read once for all stages after `deliver`, when every handler of
  ///   the turn has returned. It is zero in `deliver`: moves have the times of their frames.
  func turnEnds(at now: Timestamp)
}

/// The place of a hook in a loop. The hook keeps it, so the loop need not keep the hook.
package final class TurnPlace {
  private let loop: EventLoop
  private let id: Int

  init(_ id: Int, in loop: EventLoop) { (self.id, self.loop) = (id, loop) }

  deinit { loop.removeHook(id) }
}
