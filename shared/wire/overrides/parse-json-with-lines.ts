import { findNodeAtLocation, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { err, ok, type Result } from '../../result/result.ts';

/** A JSON value together with the lines of its names, so that a problem can be reported with its line. */
export interface JsonWithLines {
  readonly value: unknown;
  /** The line, from 1, of the name at this path, or of its nearest parent when the path does not exist. */
  readonly lineOf: (path: readonly string[]) => number;
}

/** Why a text is not acceptable JSON, and on which line, from 1. */
export interface JsonComplaint {
  readonly line: number;
  readonly problem: 'not-json' | 'repeated-name' | 'too-deep';
}

const maxDepth = 16;

/** Parses strict JSON. A name that occurs twice in one object is refused, because one of the two would be lost. */
export function parseJsonWithLines(text: string): Result<JsonWithLines, JsonComplaint> {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const complain = (offset: number, problem: JsonComplaint['problem']) => err({ line: lineAt(offset), problem });

  // The parser is recursive, so the depth is checked before it runs.
  const tooDeep = findTooDeep(text);
  if (tooDeep !== null) return complain(tooDeep, 'too-deep');

  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (root === undefined || first !== undefined) return complain(first?.offset ?? 0, 'not-json');
  const repeated = findRepeatedName(root);
  if (repeated !== null) return complain(repeated, 'repeated-name');

  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // JSON.parse is stricter in a few places, such as control characters in strings.
    return complain(0, 'not-json');
  }
  return ok({
    value,
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const node = findNodeAtLocation(root, path.slice(0, length));
        if (node !== undefined) return lineAt((node.parent ?? node).offset);
      }
      return 1;
    },
  });
}

/** The offset of the first bracket deeper than `maxDepth`. */
function findTooDeep(text: string): number | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth > maxDepth) return index;
  }
  return null;
}

/** The offset of the first property whose name its object has already. */
function findRepeatedName(node: Node): number | null {
  const names = new Set<unknown>();
  for (const child of node.children ?? []) {
    const name: unknown = child.type === 'property' ? child.children?.[0]?.value : undefined;
    if (name !== undefined && names.has(name)) return child.offset;
    names.add(name);
    const inside = findRepeatedName(child);
    if (inside !== null) return inside;
  }
  return null;
}
