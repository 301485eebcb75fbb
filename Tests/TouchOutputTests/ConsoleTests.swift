import Glibc
import SystemPackage
import Testing

@testable import TouchOutput
@testable import TouchPixels

@Suite("The console")
struct ConsoleTests {
  private func error(_ body: () throws(DisplayError) -> Void) -> DisplayError? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("/dev/tty63x", DisplayError.Kind.missing, "name one, such as /dev/tty1"),
    ("/dev/null", .wrongKind, "not a virtual terminal"),
    ("/etc/passwd", .wrongKind, "not a virtual terminal"),
  ])
  func `a terminal that cannot be taken is an error that names what to do`(
    path: String, kind: DisplayError.Kind, advice: String
  ) throws {
    let hiding = try #require(error { () throws(DisplayError) in _ = try Console(.path(path)) })
    #expect(hiding.kind == kind)
    #expect(hiding.description.hasPrefix("\(path): the console stays as it is"))
    #expect(hiding.description.contains(advice))
    let restoring = try #require(error { () throws(DisplayError) in try Console.restore(.path(path)) })
    #expect(restoring.kind == kind)
  }

  @Test
  func `an error that the unit can prevent names the unit's settings`() {
    func text(_ problem: DisplayError.ConsoleProblem) -> String {
      DisplayError.console(problem, "/dev/tty1", cause: .notPermitted).description
    }
    #expect(text(.notControlling).contains("TTYPath= and StandardInput=tty"))
    #expect(text(.notPermitted).contains("group tty"))
    #expect(text(.notControlling).hasSuffix("(Operation not permitted)"))
  }

  @Test(arguments: [
    SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSEGV, SIGBUS, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM, SIGIO, SIGVTALRM,
    SIGPROF,
    SIGXCPU, SIGXFSZ, SIGSTKFLT, SIGPWR, Console.releaseSignal + 1, Console.releaseSignal + 2, 64,
  ])
  func `a signal that would end the process still does`(signal: Int32) async {
    await #expect(processExitsWith: .signal(signal)) { [signal] in
      let null = try FileDescriptor.open("/dev/null", .readWrite)
      Console.arm(null, keyboard: 3)
      // A process that outlives its fault is ended by another signal.
      alarm(900)
      // To the process, not to this thread, which may have the signal blocked.
      kill(getpid(), signal)
      while true { pause() }
    }
  }
}
