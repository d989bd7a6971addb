// @ts-check
/**
 * The bench in the browser: it shows the picture that Python sends, and sends back what was typed and pressed.
 *
 * It decides nothing: every text, sign, number and state is in the picture (failure13/visit/picture.py) and is set as
 * text. What was typed and not yet heard by the server is kept in this browser and sent again, also to a new session.
 *
 * @typedef {{place: string[], name: string, text: string, note: string}} Field
 * @typedef {{verb: string, about: string[], label: string, title: string, enabled: boolean}} Action
 * @typedef {{id: Field, fields: Field[], remove: Action}} Order
 * @typedef {{ticket: Field[], text: Field, orders: Order[], owed: Field[], owed_words: string, harmless: Field[],
 *   actions: Action[], owed_actions: Action[], notes: string[], notice: string}} Records
 * @typedef {{name: Field, intent: Field, do: Field, sign: string, words: string, remove: Action}} Pair
 * @typedef {{heading: string, intent: string, do: string, pairs: Pair[], texts: Field[], notes: string[],
 *   sides: Action[], actions: Action[]}} Answer
 * @typedef {{sign: string, name: string, sentence: string, state: string, switches: boolean}} Gate
 * @typedef {{lead: string, text: string}} Said
 * @typedef {{sign: string, name: string, text: string}} Objection
 * @typedef {{steps: number, wrong: number, needless: number, words: string}} Cost
 * @typedef {{agent: string, name: string, way: string, coin: string, reached: string, tone: string, end: string,
 *   gates: Gate[], gates_actions: Action[], printed: string[], objections: Objection[], first: Objection[],
 *   sign: string, verdict: string, money: string, reads: Said, limit: Said[], cost: Cost}} Lane
 * @typedef {{action: Action, detail: string, mark: string, current: boolean}} Option
 * @typedef {{label: string, name: string, kind: string, text: string}} Download
 * @typedef {{tool: string, heading: string, lines: Said[], options: Option[], sources: Said[], link: string, qr: string,
 *   qr_size: number, files: Download[], code: string}} Panel
 * @typedef {{heading: string, call: string, lines: Said[], problems: string[], actions: Action[]}} Waits
 * @typedef {{label: string, open: boolean, notes: string[], waits: Waits[], actions: Action[]}} Queue
 * @typedef {{session: string, heard: number, most: number, key: string, scenario: string, step: number, title: string, hook: string,
 *   marks: string[], pages: Action[], pick: Action[], tools: Action[], steps: Action[], panel: Panel[],
 *   records: Records, said: Field, nobody: string, answers: Answer[], tries: Action[], second: Action[],
 *   changed: string, lanes: Lane[], queue: Queue, runs: Action[]}} Picture
 * @typedef {{n: number, kind: string, scenario: string, step: number, place?: string[], text?: string, verb?: string,
 *   about?: string[]}} Sent
 * @typedef {{tag: string, attributes: Record<string, any>, children: (Described | string)[]}} Described
 * @typedef {{data: string, parentElement: ShadowRoot | HTMLElement,
 *   setStateValue: (name: string, value: any) => void}} Component
 */

const LIVE = 80; // milliseconds after a key until what was typed is sent
const AGAIN = 3000; // until what was sent and not heard is sent again
const KEPT = "failure13.typed";
const SVG = new Set(["svg", "path"]);

/** @type {WeakMap<object, ReturnType<typeof begin>>} */
const benches = new WeakMap();

/** @param {Component} component */
export function show(component) {
  const root = component.parentElement;
  const bench = benches.get(root) ?? begin(root);
  benches.set(root, bench);
  bench.draw(component);
}

/** @param {object} root */
show.end = (root) => benches.get(root)?.end();

/** @param {ShadowRoot | HTMLElement} root */
function begin(root) {
  const top = root.querySelector(".bench") ?? root.appendChild(document.createElement("div"));
  top.className = "bench";
  /** @type {Picture} */
  let picture;
  /** @type {Component["setStateValue"]} */
  let send;
  /** @type {Sent[]} */
  let unheard = [];
  let next = 1;
  let tries = 0;
  let timer = 0;
  let again = 0;
  /** @type {Map<string, string>} */
  const outcomes = new Map();

  // What was typed and pressed.

  /** @param {Omit<Sent, "n" | "scenario" | "step">} event */
  function happened(event) {
    const sent = { n: next++, scenario: picture.scenario, step: picture.step, ...event };
    const last = unheard.at(-1);
    if (sent.kind === "type" && last?.kind === "type" && same(last, sent)) unheard.pop();
    unheard.push(sent);
    keep();
  }

  function keep() {
    const typed = unheard.filter((event) => event.kind === "type");
    try {
      if (typed.length) sessionStorage.setItem(KEPT, JSON.stringify({ session: picture.session, typed }));
      else sessionStorage.removeItem(KEPT);
    } catch {
      // A browser that keeps nothing loses only what the server had not heard when the page goes.
    }
  }

  function flush() {
    clearTimeout(timer);
    clearTimeout(again);
    if (!unheard.length) return;
    send("events", { session: picture.session, events: unheard, tries: tries++ });
    again = setTimeout(flush, AGAIN);
  }

  /** Take up what an earlier page, or this one with a session that is gone, had not been heard with. */
  function takeUp() {
    /** @type {Sent[]} */
    let left = unheard.filter((event) => event.kind === "type");
    if (!unheard.length) {
      try {
        left = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}").typed ?? [];
      } catch {
        left = [];
      }
    }
    next = picture.heard + 1;
    unheard = left.map((event) => ({ ...event, n: next++ }));
  }

  /** @param {Event} event */
  function typed(event) {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (!field.dataset.place) return;
    happened({ kind: "type", place: JSON.parse(field.dataset.place), text: field.value.slice(0, picture.most) });
    clearTimeout(timer);
    timer = setTimeout(flush, LIVE);
    fit(field);
  }

  /** @param {string} verb @param {string[]} about */
  function press(verb, about) {
    happened({ kind: "press", verb, about });
    flush();
  }

  /** @param {Event} event */
  function clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target).closest("[data-verb], [data-file]");
    if (!(target instanceof HTMLElement)) return;
    if (target.dataset.file) return download(picture.panel[0].files[Number(target.dataset.file)]);
    if (target.tagName === "A") {
      const mouse = /** @type {MouseEvent} */ (event);
      if (mouse.metaKey || mouse.ctrlKey || mouse.shiftKey) return;
      event.preventDefault();
    }
    if (target.getAttribute("aria-disabled") === "true") return;
    press(target.dataset.verb ?? "", JSON.parse(target.dataset.about ?? "[]"));
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      press("run", []);
    } else if (event.key === "Escape" && picture.panel.length) {
      press("close", []);
      const opener = `[data-verb=open][data-about='${JSON.stringify([picture.panel[0].tool])}']`;
      /** @type {HTMLElement | null} */ (top.querySelector(opener))?.focus();
    }
  }

  /** A name is taken when it is left, for a half of it is another name. @param {Event} event */
  function changed(event) {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (!field.dataset.name) return;
    happened({ kind: "type", place: JSON.parse(field.dataset.name), text: field.value.slice(0, picture.most) });
    flush();
  }

  top.addEventListener("input", typed);
  top.addEventListener("change", changed);
  top.addEventListener("click", clicked);
  const wide = /** @type {(event: Event) => void} */ (keyed);
  document.addEventListener("keydown", wide);

  // Showing the picture.

  /** @param {Component} component */
  function draw(component) {
    const before = picture;
    picture = JSON.parse(component.data);
    send = component.setStateValue;
    if (before?.session === picture.session) {
      unheard = unheard.filter((event) => event.n > picture.heard);
      next = Math.max(next, picture.heard + 1);
    } else takeUp();
    patch(top, describe(picture));
    settle(before);
    keep();
    if (before?.session !== picture.session) flush();
    else if (!unheard.length) clearTimeout(again);
  }

  /** Give the fields their texts, move the coins, and say what changed. @param {Picture | undefined} before */
  function settle(before) {
    const here = unheard.filter((event) => event.scenario === picture.scenario && event.step === picture.step);
    const waiting = new Map(here.map((event) => [JSON.stringify(event.place), event.text]));
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (top.querySelectorAll("input, textarea"))) {
      const place = field.dataset.place ?? field.dataset.name;
      if (!place) continue;
      const text = waiting.get(place) ?? field.dataset.text ?? "";
      if (field.dataset.key !== picture.key && field.value !== text) field.value = text;
      field.dataset.key = picture.key;
      fit(field);
    }
    const changes = [];
    for (const lane of picture.lanes) {
      const now = JSON.stringify([lane.reached, lane.verdict, lane.end]);
      const then = outcomes.get(lane.agent);
      if (then && then !== now) requestAnimationFrame(() => move(lane)); // to ask where it is now costs a layout
      const old = before?.lanes.find((other) => other.agent === lane.agent);
      if (old && old.verdict !== lane.verdict) changes.push(`${lane.name}: ${lane.verdict}`);
      outcomes.set(lane.agent, now);
    }
    const status = top.querySelector("[role=status]");
    if (status && changes.length) status.textContent = changes.join("; ");
  }

  /** @param {Lane} lane */
  function move(lane) {
    const track = top.querySelector(`[data-agent="${lane.agent}"] .track`);
    const coin = track?.querySelector(".coin");
    if (!track || !coin || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const way = coin.getBoundingClientRect().left - track.getBoundingClientRect().left;
    coin.animate([{ transform: `translateX(${-way}px)` }, { transform: "none" }], { duration: 450, easing: "ease-out" });
  }

  function end() {
    clearTimeout(timer);
    clearTimeout(again);
    document.removeEventListener("keydown", wide);
    benches.delete(root);
  }

  return { draw, end };
}

/** @param {Sent} one @param {Sent} other */
function same(one, other) {
  const place = ({ scenario, step, place: way }) => JSON.stringify([scenario, step, way]);
  return place(one) === place(other);
}

/** Let a field be as wide, or as high, as what is in it. @param {HTMLInputElement} field */
function fit(field) {
  if (!field.classList.contains("fits")) return;
  const text = field.value || field.placeholder;
  field.style.width = `${Math.min(Math.max(text.length, 2), 24) + 1}ch`;
}

/** @param {Download} file */
function download(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([file.text], { type: file.kind }));
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The picture as a description of elements.

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Described | string | false)} children
 * @returns {Described}
 */
function h(tag, attributes = {}, ...children) {
  const there = /** @type {(Described | string)[]} */ (children.filter((child) => child !== false && child !== ""));
  return { tag, attributes, children: there };
}

/** @param {string} name @param {...(Described | string | false)} children */
const div = (name, ...children) => h("div", { class: name }, ...children);

/** @param {string} name @param {string} text */
const span = (name, text) => h("span", { class: name }, text);

/** @param {Action} action @param {string} [name] @param {string} [label] */
function button(action, name = "", label = action.label) {
  const plain = /[a-z]/i.test(action.label) || !action.title;
  return h(
    "button",
    {
      type: "button",
      class: name,
      key: `${action.verb} ${action.about}`,
      "data-verb": action.verb,
      "data-about": JSON.stringify(action.about),
      "aria-disabled": action.enabled ? null : "true",
      "aria-label": plain ? null : action.title,
      title: action.title || null,
    },
    label,
  );
}

/**
 * @param {Field} field
 * @param {{tag?: string, name?: string, on?: "place" | "name", rows?: number, placeholder?: string}} [how]
 */
function input(field, { tag = "input", name = "", on = "place", rows, placeholder } = {}) {
  const place = JSON.stringify(field.place);
  return div(
    `field${field.note ? " noted" : ""}`,
    h(tag, {
      key: place,
      class: name,
      [`data-${on}`]: place,
      "data-text": field.text,
      "aria-label": field.name,
      "aria-describedby": field.note ? `note ${place}` : null,
      autocomplete: "off",
      spellcheck: "false",
      type: tag === "input" ? "text" : null,
      rows,
      placeholder,
    }),
    field.note ? h("small", { id: `note ${place}`, class: "note", title: field.note }, field.note) : false,
  );
}

/** @param {Picture} picture */
function describe(picture) {
  const [before, after] = picture.pick;
  const [panel] = picture.panel;
  const head = h(
      "header",
      { class: "head" },
      h("h1", {}, "Failure 13"),
      h("nav", { "aria-label": "Pages" }, ...picture.pages.map(pageLink)),
      div(
        "picker",
        button(before, "icon"),
        h(
          "button",
          { type: "button", class: "pick", "data-verb": "open", "data-about": '["scenarios"]',
            "aria-expanded": panel?.tool === "scenarios" ? "true" : "false" },
          span("title", picture.title),
          ...picture.marks.map((mark) => span("mark", mark)),
          span("chevron", "▾"),
        ),
        button(after, "icon"),
      ),
      div("tools", ...picture.tools.map((tool) => button(tool, tool.title === "on screen" ? "tool on" : "tool"))),
  );
  return [
    div("top", head, ...picture.panel.map(showPanel)),
    h("p", { class: "hook" }, picture.hook,
      picture.changed ? h("span", { class: "changed" }, " Changed: ", picture.changed) : false),
    showRecords(picture),
    div("steps", ...picture.steps.map((step) => button(step, step.title ? "tool on" : "tool"))),
    ...picture.answers.map((answer, number) => showAnswer(picture, answer, number)),
    ...picture.lanes.map(showLane),
    showDock(picture.lanes),
    div("foot", ...picture.runs.map((run, number) => button(run, number ? "tool" : "tool primary"))),
    ...(picture.queue.label ? [showQueue(picture.queue)] : []),
    h("p", { class: "unseen", role: "status", key: "status", kept: true }),
  ].filter((part) => part !== false);
}

/** @param {Action} page */
function pageLink(page) {
  const here = page.label === "Explore";
  return h(
    "a",
    { href: `/${page.about[0]}`, "data-verb": here ? null : "page", "data-about": JSON.stringify(page.about),
      "aria-current": here ? "page" : null },
    page.label,
  );
}

/** @param {Panel} panel */
function showPanel(panel) {
  return h(
    "section",
    { class: "panel", "aria-label": panel.heading, key: `panel ${panel.tool}` },
    div("panel-head", h("h2", { class: "name" }, panel.heading),
      button({ verb: "close", about: [], label: "×", title: "Close", enabled: true }, "icon")),
    ...panel.lines.map(said),
    panel.options.length
      ? h("ul", { class: "options" }, ...panel.options.map((option) =>
        h("li", { key: `${option.action.about}` },
          h("button", {
            type: "button", "data-verb": option.action.verb, "data-about": JSON.stringify(option.action.about),
            "aria-current": option.current ? "true" : null,
          }, span("title", option.action.label), option.mark ? span("mark", option.mark) : false,
          option.detail ? span("detail", option.detail) : false))))
      : false,
    ...panel.sources.map((source) =>
      h("p", {}, h("a", { href: source.text, target: "_blank", rel: "noreferrer" }, source.lead))),
    panel.link
      ? div("link", h("code", {}, panel.link),
        panel.qr ? h("svg", { viewBox: `0 0 ${panel.qr_size} ${panel.qr_size}`, role: "img", class: "qr",
          "aria-label": "The link as a QR code" }, h("path", { d: panel.qr })) : false)
      : false,
    ...panel.files.map((file, number) =>
      h("button", { type: "button", class: "tool", "data-file": `${number}` }, file.label)),
    panel.code ? h("pre", { class: "code", tabindex: "0", role: "region", "aria-label": "The test" }, panel.code) : false,
  );
}

/** @param {Said} line */
function said(line) {
  return h("p", { class: "said-line" }, line.lead ? span("lead", line.lead) : false, span("text", line.text));
}

/** @param {Picture} picture */
function showRecords({ records }) {
  const [ticket, customer, order, agreed] = records.ticket;
  const place = { name: "inline fits" };
  return h(
    "section",
    { class: "records", "aria-label": "The records" },
    div(
      "ticket",
      div("line", span("lead", "Ticket"), input(ticket, place), span("lead", "from"), input(customer, place),
        span("lead", "about"), input(order, place), span("lead", "agreed"),
        input(agreed, { ...place, placeholder: "none" })),
      input(records.text, { tag: "textarea", name: "quote", rows: 2 }),
    ),
    div(
      "book",
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...["order on file", "customer", "paid", "refundable", "", ""].map((name) =>
          name ? h("th", { scope: "col" }, name) : h("td", {})))),
        h("tbody", {}, ...records.orders.map((row) =>
          h("tr", { key: JSON.stringify(row.id.place) },
            h("td", {}, input(row.id, { ...place, on: "name" })),
            ...row.fields.map((field) => h("td", {}, input(field, place))),
            h("td", {}, button(row.remove, "remove"))))),
      ),
      div("line", ...records.actions.map((action) => button(action, "small")), span("lead", "move no money:"),
        ...records.harmless.map((field) => input(field, { ...place, placeholder: "none" }))),
      ...records.notes.map((note) => h("p", { class: "note" }, note)),
    ),
    div(
      "owed",
      span("lead", "Owed, which no agent sees"),
      h("p", { class: "words" }, records.owed_words),
      div("line", ...records.owed.map((field, number) => h("span", { class: "line" },
        span("lead", ["amount", "order", "in"][number]), input(field, { ...place, placeholder: "as the order" }))),
        ...records.owed_actions.map((action) => button(action, "small"))),
    ),
  );
}

/** @param {Picture} picture @param {Answer} answer @param {number} number */
function showAnswer(picture, answer, number) {
  const grid = answer.texts.length
    ? div("texts", ...answer.texts.map((field, side) =>
      div("text", h("h2", {}, side ? `DO: ${answer.do}` : `INTENT: ${answer.intent}`),
        input(field, { tag: "textarea", name: "json", rows: 5 }))))
    : div(
      "grid",
      number ? false : div("h-field line", ...answer.actions.map((action) => button(action, "small"))),
      ...(number ? [] : answer.sides).map((action, side) => div(side ? "h-do line" : "h-intent line",
        h("h2", {}, side ? `DO: ${answer.do}` : `INTENT: ${answer.intent}`), button(action, "small"))),
      ...answer.pairs.map((pair) => h(
        "div", { class: "pair", key: JSON.stringify(pair.name.place) },
        input(pair.name, { name: "field-name", on: "name" }),
        input(pair.intent, { placeholder: "absent" }),
        h("span", { class: `sign ${MARKS[pair.sign]}`, title: pair.words },
          h("span", { "aria-hidden": "true" }, pair.sign), span("unseen", pair.words)),
        input(pair.do, { placeholder: "absent" }),
        button(pair.remove, "remove"),
      )),
    );
  const last = number === picture.answers.length - 1;
  return h(
    "section",
    { class: number ? "triad second" : "triad", "aria-label": answer.heading || "What was said, declared and done" },
    number
      ? h("h2", { class: "second-head" }, answer.heading)
      : div("said", h("h2", {}, "SAID: the customer and the log read this"),
        input(picture.said, { tag: "textarea", name: "bubble", rows: 2 }),
        scrolling("beside", "What to look at, and what cannot be read", ...answer.notes.map((note) => h("p", { class: "note" }, note)),
          h("p", { class: "notice" }, picture.records.notice))),
    number ? false : div("gap", span("words", picture.nobody), h("i", { "aria-hidden": "true" })),
    div("data", grid,
      ...(number ? answer.notes : []).map((note) => h("p", { class: "note" }, note)),
      div("line", ...(number || !picture.tries.length ? [] : [span("lead", "Try"),
        ...picture.tries.map((action) => button(action, "try"))]),
        ...(number || answer.texts.length ? [...answer.actions, ...answer.sides] : []).map((action) => button(action, "small")),
        ...(last ? picture.second.map((action) => button(action, "small")) : []))),
  );
}

/** @type {Record<string, string>} */
const MARKS = { "=": "same", "≠": "differs", "?": "cannot", "·": "harmless" };

/** @param {Lane} lane */
function showLane(lane) {
  return h(
    "section",
    { class: "lane", "data-agent": lane.agent, "aria-label": lane.name, key: `lane ${lane.agent}` },
    div("who", h("h2", { class: "name" }, lane.name), h("p", {}, lane.way), showCost(lane.cost),
      lane.gates_actions.length ? div("line", ...lane.gates_actions.map((action) => button(action, "small"))) : false),
    div("pipe",
      showTrack(lane),
      scrolling("words", `${lane.name}: what it answered`,
        div("printed", ...lane.printed.map((text) => h("code", {}, text))),
        ...lane.first.length ? [h("p", { class: "lead" }, "Objections to the first answer"), showObjections(lane.first)] : [],
        ...lane.objections.length
          ? [lane.first.length ? h("p", { class: "lead" }, "and to the second") : false, showObjections(lane.objections)]
          : [])),
    scrolling("out", `${lane.name}: what it was worth`,
      h("p", { class: `verdict ${lane.tone}` }, h("span", { "aria-hidden": "true" }, `${lane.sign} `), lane.verdict),
      h("p", { class: "money" }, lane.money),
      ...lane.limit.map((limit) => h("p", { class: "limit" }, h("b", {}, limit.lead), " ", limit.text)),
      h("p", { class: "reads" }, span("lead", lane.reads.lead), h("q", {}, lane.reads.text))),
  );
}

/** A part that scrolls where it has more than fits. @param {string} name @param {string} label @param {...any} children */
function scrolling(name, label, ...children) {
  return h("div", { class: name, tabindex: "0", role: "group", "aria-label": label }, ...children);
}

/** @param {Lane} lane */
function showTrack(lane) {
  const paid = lane.reached === "end";
  const coin = h("span", { class: `coin ${paid ? lane.tone : ""}`, key: "coin" }, lane.coin);
  return h(
    "div", { class: `track ${paid ? `paid ${lane.tone}` : ""}` },
    lane.reached === "start" ? false : h("span", { class: "bar gone" }),
    paid ? false : coin,
    lane.reached === "start" ? h("span", { class: "bar not" }) : false,
    lane.gates.length ? h("span", { class: "gates" }, ...lane.gates.map(showGate)) : false,
    h("span", { class: `bar ${paid ? "gone" : "not"}` }),
    paid ? coin : false,
    h("span", { class: "end" }, paid || lane.end === "a person" ? `→ ${lane.end}` : lane.end),
  );
}

/** @param {Gate} gate */
function showGate(gate) {
  const words = `${gate.name}: ${gate.state}`;
  const inside = [h("span", { "aria-hidden": "true" }, gate.sign),
    h("span", { class: "tip", "aria-hidden": "true" }, h("b", {}, words), " ", gate.sentence)];
  const common = { class: `gate ${gate.state}`, key: gate.name, "aria-label": `${gate.sign} ${words}` };
  return gate.switches
    ? h("button", { ...common, type: "button", "data-verb": "guard", "data-about": JSON.stringify([gate.name]),
      "aria-description": gate.sentence, "aria-pressed": gate.state === "off" ? "false" : "true" }, ...inside)
    : h("span", { ...common, role: "img" }, ...inside);
}

/** @param {Objection[]} objections */
function showObjections(objections) {
  return h("ol", { class: "objections" }, ...objections.map((each) =>
    h("li", {}, h("b", {}, `${each.sign} ${each.name} `), each.text)));
}

/** @param {Cost} cost */
function showCost(cost) {
  const part = (/** @type {string} */ name, /** @type {number} */ count) =>
    h("i", { class: name, style: `flex-grow: ${count}` });
  return h("div", { class: "cost", role: "img", "aria-label": cost.words, title: cost.words },
    h("span", { class: "strip" }, part("wrong", cost.wrong), part("needless", cost.needless),
      part("rest", cost.steps - cost.wrong - cost.needless)),
    h("span", { class: "counts" }, `pack: ✕ ${cost.wrong} ▲ ${cost.needless} of ${cost.steps}`));
}

/** @param {Lane[]} lanes */
function showDock(lanes) {
  return h("div", { class: "dock", "aria-hidden": "true" }, ...lanes.map((lane) =>
    h("span", {}, lane.name, h("b", { class: lane.tone }, `${lane.sign} ${lane.verdict}`))));
}

/** @param {Queue} queue */
function showQueue(queue) {
  return h(
    "section", { class: "queue", "aria-label": "A person's queue" },
    h("button", { type: "button", class: "tool", "data-verb": "queue", "data-about": "[]",
      "aria-expanded": queue.open ? "true" : "false" }, queue.label),
    ...queue.notes.map((note) => h("p", { class: "note" }, note)),
    ...queue.waits.map((each) => h("article", { class: "waits", key: `${each.actions[0].about}` },
      h("h3", {}, each.heading), h("pre", {}, each.call), ...each.lines.map(said),
      h("ul", {}, ...each.problems.map((problem) => h("li", {}, problem))),
      div("line", ...each.actions.map((action, number) => button(action, number ? "tool" : "tool primary"))))),
    queue.actions.length ? div("line", ...queue.actions.map((action) => button(action, "tool"))) : false,
  );
}

// A description becomes elements: those that are there are kept, so that nothing that has the focus is made anew.

/** @param {Element} parent @param {(Described | string)[]} children */
function patch(parent, children) {
  /** @type {Map<string, Element>} */
  const keyed = new Map();
  for (const child of parent.children) {
    const key = keys.get(child);
    if (key !== undefined) keyed.set(key, child);
  }
  let at = parent.firstChild;
  for (const child of children) {
    if (typeof child === "string") {
      if (at?.nodeType === Node.TEXT_NODE) {
        if (at.nodeValue !== child) at.nodeValue = child;
        at = at.nextSibling;
      } else parent.insertBefore(document.createTextNode(child), at);
      continue;
    }
    const key = child.attributes.key;
    const fits = (/** @type {Node | null | undefined} */ node) =>
      node instanceof Element && node.localName === child.tag && keys.get(node) === key;
    let element = /** @type {Element | null} */ (fits(at) ? at : key !== undefined ? keyed.get(key) ?? null : null);
    if (!element || !fits(element)) {
      element = SVG.has(child.tag)
        ? document.createElementNS("http://www.w3.org/2000/svg", child.tag)
        : document.createElement(child.tag);
      if (key !== undefined) keys.set(element, key);
    }
    if (element === at) at = at.nextSibling;
    else parent.insertBefore(element, at);
    dress(element, child);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** @type {WeakMap<Element, string>} */
const keys = new WeakMap();

/** @param {Element} element @param {Described} described */
function dress(element, { attributes, children }) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "key" || name === "kept") continue;
    if (value === null || value === undefined || value === "") {
      if (name === "placeholder" || value !== "" || name === "class" || name === "data-text") element.removeAttribute(name);
      if (name === "data-text") element.setAttribute(name, "");
    } else if (element.getAttribute(name) !== `${value}`) element.setAttribute(name, `${value}`);
  }
  if (!attributes.kept) patch(element, children);
}
