// The shared worker of all tabs: reads their games and the operator's notices (feed.js). Tabs report periodically that they are open, because a
// closed tab may send nothing.
import {Feed, serve} from "./feed.js";

const goneAfter = 90_000;
const feed = new Feed();

addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (event).ports;
  const tab = serve(feed, (answer) => port.postMessage(answer));
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  let closed = false;
  const close = () => {
    tab.close();
    closed = true;
  };
  // A tab that was suspended follows its games again.
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(close, goneAfter);
    if (closed) port.postMessage({lost: true});
    closed = false;
    tab.open();
  };
  port.onmessage = ({data}) => {
    heard();
    if (data.bye) close();
    else if (data.hurry) feed.hurry();
    else if (data.follow || data.id) tab.on(data);
  };
  heard();
});
