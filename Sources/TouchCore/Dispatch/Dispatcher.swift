public final class Dispatcher {
  func subtreeLeft(_ view: View) {}
}
