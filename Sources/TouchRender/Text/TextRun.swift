/// Characters of a line that run one way.
struct TextRun: Equatable {
  enum Direction { case leftToRight, rightToLeft }

  /// As they are read; brackets and the like are turned round where they run to the left.
  var scalars: [UInt32]
  /// nil: each word as its own script runs.
  var direction: Direction? = nil
}
