/// The last responder of every chain. (`UIApplication`.)
open class Application: Responder {
  public override init(id: String = "application") {
    super.init(id: id)
  }
}
