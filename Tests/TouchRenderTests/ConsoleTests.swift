import Glibc
import SystemPackage
import Testing

@testable import TouchOutput

@Suite("The console")
struct ConsoleTests {
  private func notice(_ body: () throws(ConsoleNotice) -> Void) -> ConsoleNotice? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "a terminal that cannot be taken is a notice with what to do",
    arguments: [
      ("/dev/tty63x", ConsoleNotice.Problem.missing, "name one, such as /dev/tty1"),
      ("/dev/null", .notTerminal, "this is no virtual terminal"),
      ("/etc/passwd", .notTerminal, "this is no virtual terminal"),
    ])
  func refused(path: String, problem: ConsoleNotice.Problem, advice: String) throws {
    let hiding = try #require(notice { () throws(ConsoleNotice) in _ = try Console(.path(path)) })
    #expect(hiding.problem == problem)
    #expect(hiding.description.hasPrefix("\(path): the console stays as it is"))
    #expect(hiding.description.contains(advice))
    let restoring = try #require(notice { () throws(ConsoleNotice) in try Console.restore(.path(path)) })
    #expect(restoring.problem == problem)
  }

  @Test("what only a unit can permit is said with the unit's words")
  func advice() {
    func text(_ problem: ConsoleNotice.Problem) -> String {
      ConsoleNotice(path: "/dev/tty1", problem: problem, cause: .notPermitted).description
    }
    #expect(text(.notControlling).contains("TTYPath= and StandardInput=tty"))
    #expect(text(.notPermitted).contains("group tty"))
    #expect(text(.notControlling).hasSuffix("(Operation not permitted)"))
  }

  @Test("restoring a console that was never taken does nothing")
  func never() {
    Console.restoreNow()
    Console.restoreNow()
  }

  @Test(
    "a signal that would end the process still does",
    arguments: [
      SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSEGV, SIGBUS, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM, SIGIO, SIGVTALRM,
      SIGPROF,
      SIGXCPU, SIGXFSZ, SIGSTKFLT, SIGPWR, Console.releaseSignal + 1, Console.releaseSignal + 2, 64,
    ])
  func ending(signal: Int32) async {
    await #expect(processExitsWith: .signal(signal)) { [signal] in
      let null = try FileDescriptor.open("/dev/null", .readWrite)
      Console.arm(null, keyboard: 3)
      // A process that outlives its fault is ended by another signal.
      alarm(60)
      // To the process, not to this thread, which may have the signal blocked.
      kill(getpid(), signal)
      while true { pause() }
    }
  }
}
