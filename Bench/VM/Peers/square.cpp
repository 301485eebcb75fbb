// What Guest/square.c does, as a Qt program would: a widget that is filled while it is touched.
//
//   qt-square X,Y,WxH COLOUR BACKGROUND
#include <QApplication>
#include <QPainter>
#include <QTouchEvent>
#include <QWidget>
#include <cstdio>

class Square : public QWidget {
public:
  Square(QWidget *parent, QColor lit, QColor dark) : QWidget(parent), colours{dark, lit} {
    setAttribute(Qt::WA_AcceptTouchEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
  }

protected:
  bool event(QEvent *event) override {
    switch (event->type()) {
      case QEvent::TouchBegin: isTouched = true; break;
      case QEvent::TouchEnd:
      case QEvent::TouchCancel: isTouched = false; break;
      default: return QWidget::event(event);
    }
    update();
    event->accept();
    return true;
  }

  void paintEvent(QPaintEvent *) override { QPainter(this).fillRect(rect(), colours[isTouched]); }

private:
  QColor colours[2];
  bool isTouched = false;
};

int main(int count, char **arguments) {
  qputenv("QT_QPA_PLATFORM", "linuxfb");
  qputenv("QT_QPA_FB_NO_LIBINPUT", "1");
  QApplication application(count, arguments);
  int x, y, width, height;
  if (count != 4 || std::sscanf(arguments[1], "%d,%d,%dx%d", &x, &y, &width, &height) != 4) return 64;
  QWidget window;
  Square square(&window, QColor(QString("#") + arguments[2]), QColor(QString("#") + arguments[3]));
  square.setGeometry(x, y, width, height);
  window.showFullScreen();
  return application.exec();
}
