import { err, ok, type Result } from '../../result/result.ts';

/** JSON with the lines its names stand on, so that a person can be told where something is wrong. */
export interface LinedJson {
  readonly value: unknown;
  /** The line, from 1, on which the name at this path stands; of its nearest parent when there is none. */
  readonly lineOf: (path: readonly string[]) => number;
}

/** Why a text is not JSON that can be taken, and on which line, from 1. */
export interface JsonComplaint {
  readonly line: number;
  readonly problem: 'not-json' | 'repeated-name' | 'too-deep';
}

const deepest = 16;
const space = /[ \t\r\n]*/y;
const string = /"(?:[^"\\]|\\.)*"/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Complaint extends Error {
  readonly problem: JsonComplaint['problem'];

  constructor(problem: JsonComplaint['problem']) {
    super(problem);
    this.problem = problem;
  }
}

/** Reads strict JSON for people: a name that stands twice in one object is refused, because one of the two would be lost. */
export function parseLinedJson(text: string): Result<LinedJson, JsonComplaint> {
  const reader = new Reader(text);
  try {
    reader.readAll();
  } catch (error) {
    if (error instanceof Complaint) return err({ line: reader.line, problem: error.problem });
    throw error;
  }
  const { lines } = reader;
  return ok({
    value: JSON.parse(text) as unknown,
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const line = lines.get(JSON.stringify(path.slice(0, length)));
        if (line !== undefined) return line;
      }
      return 1;
    },
  });
}

/** Walks the text once; values are made by `JSON.parse`, this only finds places and faults. */
class Reader {
  readonly lines = new Map<string, number>();
  readonly #text: string;
  #at = 0;
  #counted = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The line of what is looked at. */
  get line(): number {
    for (; this.#counted < Math.min(this.#at, this.#text.length); this.#counted += 1) {
      if (this.#text[this.#counted] === '\n') this.#line += 1;
    }
    return this.#line;
  }

  readAll(): void {
    this.#value([]);
    this.#skip();
    if (this.#at < this.#text.length) throw new Complaint('not-json');
  }

  #value(path: readonly string[]): void {
    if (path.length > deepest) throw new Complaint('too-deep');
    this.#skip();
    const first = this.#text[this.#at];
    if (first === '{') this.#members('}', path, (member) => this.#member(member));
    else if (first === '[') this.#members(']', path, (_member, index) => this.#value([...path, String(index)]));
    else if (first === '"') this.#string();
    else this.#take(scalar);
  }

  #members(
    end: '}' | ']',
    path: readonly string[],
    read: (at: { readonly path: readonly string[]; readonly seen: Set<string> }, index: number) => void,
  ): void {
    const seen = new Set<string>();
    this.#at += 1;
    this.#skip();
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (let index = 0; ; index += 1) {
      read({ path, seen }, index);
      this.#skip();
      const next = this.#text[this.#at];
      if (next !== ',' && next !== end) throw new Complaint('not-json');
      this.#at += 1;
      if (next === end) return;
    }
  }

  #member({ path, seen }: { readonly path: readonly string[]; readonly seen: Set<string> }): void {
    this.#skip();
    const { line } = this;
    const name = this.#string();
    if (seen.has(name)) throw new Complaint('repeated-name');
    seen.add(name);
    const here = [...path, name];
    this.lines.set(JSON.stringify(here), line);
    this.#skip();
    if (this.#text[this.#at] !== ':') throw new Complaint('not-json');
    this.#at += 1;
    this.#value(here);
  }

  #string(): string {
    const from = this.#at;
    const quoted = this.#take(string);
    try {
      return JSON.parse(quoted) as string;
    } catch {
      // A line end or another control character inside, or an escape that JSON does not know.
      this.#at = from;
      throw new Complaint('not-json');
    }
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined || found === '') throw new Complaint('not-json');
    this.#at += found.length;
    return found;
  }

  #skip(): void {
    space.lastIndex = this.#at;
    this.#at += space.exec(this.#text)?.[0].length ?? 0;
  }
}
