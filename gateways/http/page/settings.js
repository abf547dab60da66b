// The settings dialog: colours, sound, notifications.
import {button, h} from "./dom.js";
import {chime} from "./notices.js";
import {keepSetting, setting} from "./session.js";
import {ui} from "./text.js";

// The inline script of index.html does the same before the first paint.
/** @param {string | undefined} theme */
function apply(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** @param {string} value @param {string} text */
const theme = (value, text) =>
  h("label", {class: "pick"}, h("input", {type: "radio", name: "theme", value, checked: (setting("theme") ?? "") === value,
                                          onchange: () => {
                                            keepSetting("theme", value || undefined);
                                            apply(value);
                                          }}), h("span", {}, text));

/** @param {string} what @param {string} text @param {() => boolean | Promise<boolean>} allowed */
function toggle(what, text, allowed, done = () => {}) {
  const box = h("input", {type: "checkbox", checked: setting(what) === "on", onchange: async () => {
    const on = box.checked && (await allowed());
    box.checked = on;
    keepSetting(what, on ? "on" : undefined);
    done();
  }});
  return h("label", {class: "toggle"}, box, h("span", {}, text));
}

// Boards are turned round by their style, and their keys by board.js.
export const flipBoards = () => document.documentElement.toggleAttribute("data-flip", setting("flip") === "on");

export function openSettings() {
  const dialog = h("dialog", {"aria-labelledby": "settings-title", onclose: () => dialog.remove()},
    h("h2", {id: "settings-title"}, ui.settings),
    h("fieldset", {class: "themes"}, h("legend", {}, ui.colours), theme("", ui.asTheSystem), theme("light", ui.light), theme("dark", ui.dark)),
    h("fieldset", {}, h("legend", {}, ui.boards), toggle("flip", ui.flipBoards, () => true, flipBoards)),
    h("fieldset", {}, h("legend", {}, ui.whenYourTurn),
      toggle("sound", ui.playASound, () => {
        chime();
        return true;
      }),
      "Notification" in window && toggle("notify", ui.notifyMe,
                                         async () => (await Notification.requestPermission()) === "granted")),
    h("div", {class: "go"}, button(ui.done, () => dialog.close(), {class: "main"})));
  document.body.append(dialog);
  dialog.showModal();
}
