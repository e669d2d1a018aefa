/** The part of a DOM document that Observable Plot draws into: elements that can be written as text. */

const SVG = "http://www.w3.org/2000/svg";

class Text {
  parentNode: Element | null = null;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return escapeXml(this.#text);
  }
}

class Element {
  parentNode: Element | null = null;
  readonly namespaceURI = SVG;
  readonly ownerDocument: Document;
  readonly childNodes: (Element | Text)[] = [];
  readonly style: { setProperty(name: string, value: string): void };
  readonly #tag: string;
  readonly #attributes = new Map<string, string>();

  constructor(document: Document, tag: string) {
    this.ownerDocument = document;
    this.#tag = tag;
    this.style = {
      setProperty: (name, value) => this.setAttribute("style", `${this.getAttribute("style") ?? ""}${name}:${value};`),
    };
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value));
  }

  /** The prefix is part of the name already, where one is needed. */
  setAttributeNS(_space: string, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  appendChild<T extends Element | Text>(child: T): T {
    return this.insertBefore(child, null);
  }

  insertBefore<T extends Element | Text>(child: T, next: Element | Text | null): T {
    child.parentNode?.removeChild(child);
    const place = next === null ? this.childNodes.length : this.childNodes.indexOf(next);
    this.childNodes.splice(place, 0, child);
    child.parentNode = this;
    return child;
  }

  removeChild<T extends Element | Text>(child: T): T {
    this.childNodes.splice(this.childNodes.indexOf(child), 1);
    child.parentNode = null;
    return child;
  }

  set textContent(text: string) {
    this.childNodes.splice(0);
    this.appendChild(new Text(text));
  }

  toString(): string {
    const attributes = [...this.#attributes].map(([name, value]) => ` ${name}="${escapeXml(value)}"`).join("");
    return `<${this.#tag}${attributes}>${this.childNodes.join("")}</${this.#tag}>`;
  }
}

export class Document {
  readonly documentElement = new Element(this, "svg");
  createElementNS(_space: string, tag: string): Element {
    return new Element(this, tag);
  }
  createTextNode(text: string): Text {
    return new Text(text);
  }
}

const ENTITIES = new Map(Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }));

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES.get(character)!);
}
