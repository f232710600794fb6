/** Writes small ONNX models: just enough of the protobuf wire format for tests. */
type Part = Uint8Array | readonly Part[];

const flat = (part: Part): Uint8Array => (part instanceof Uint8Array ? part : Buffer.concat(part.map(flat)));
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}
const num = (field: number, value: number): Part => [varint(field * 8), varint(value)];
const raw = (field: number, bytes: Uint8Array): Part => [varint(field * 8 + 2), varint(bytes.length), bytes];
const text = (field: number, value: string): Part => raw(field, Buffer.from(value));
const message = (field: number, ...parts: readonly Part[]): Part => raw(field, flat(parts));

export const types = { float: 1, uint8: 2, int64: 7 } as const;

/** A named value with its dimensions: a number, or a name where it is free. */
export const value = (name: string, type: number, dims: readonly (number | string)[]): Part => [
  text(1, name),
  message(
    2,
    message(
      1,
      num(1, type),
      message(2, ...dims.map((dim) => message(1, typeof dim === 'number' ? num(1, dim) : text(2, dim)))),
    ),
  ),
];

/** A node; its attributes are whole numbers. */
export const node = (
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, number | readonly number[]>> = {},
): Part => [
  inputs.map((name) => text(1, name)),
  outputs.map((name) => text(2, name)),
  text(4, op),
  Object.entries(attributes).map(([name, given]) =>
    message(
      5,
      text(1, name),
      typeof given === 'number' ? [num(3, given), num(20, 2)] : [given.map((one) => num(8, one)), num(20, 7)],
    ),
  ),
];
/** A constant. `location`: the name of a file beside the model that would hold its values. */
export const weight = (
  name: string,
  type: number,
  dims: readonly number[],
  bytes: Uint8Array,
  location?: string,
): Part => [
  dims.map((dim) => num(1, dim)),
  num(2, type),
  text(8, name),
  location === undefined ? raw(9, bytes) : [message(13, text(1, 'location'), text(2, location)), num(14, 1)],
];

export const model = (graph: {
  readonly nodes: readonly Part[];
  readonly weights?: readonly Part[];
  readonly inputs: readonly Part[];
  readonly outputs: readonly Part[];
}): Uint8Array =>
  flat([
    num(1, 8),
    message(
      7,
      graph.nodes.map((one) => message(1, one)),
      text(2, 'g'),
      (graph.weights ?? []).map((one) => message(5, one)),
      graph.inputs.map((one) => message(11, one)),
      graph.outputs.map((one) => message(12, one)),
    ),
    message(8, text(1, ''), num(2, 17)),
  ]);
