import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { model, node, types, value, weight } from '../../tests/support/onnx-model.ts';

const [layers, width, heads, classes] = [16, 768, 16, 71];
const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const longs = (...values: number[]): Uint8Array => new Uint8Array(BigInt64Array.from(values, BigInt).buffer);

/**
 * Writes a model that means nothing and works as much as the model of 217 M weights that people get: a Conformer CTC
 * encoder of quantised matrices with its inputs and outputs. Its vocabulary lies beside it.
 */
export function writeConformer(folder: string): void {
  let seed = 1;
  const noise = (count: number): Uint8Array => {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; at += 1) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      bytes[at] = seed >>> 24;
    }
    return bytes;
  };
  const nodes: ReturnType<typeof node>[] = [];
  const weights = [
    weight('split', types.int64, [4], longs(1, -1, heads, width / heads)),
    weight('whole', types.int64, [3], longs(1, -1, width)),
    weight('zero', types.uint8, [1], Uint8Array.of(128)),
    weight('scale', types.float, [1], floats(0.0004)),
    weight('ln1', types.float, [width], floats(...Array.from({ length: width }, () => 1))),
    weight('ln0', types.float, [width], new Uint8Array(4 * width)),
    weight('conv', types.float, [256, 64, 4], floats(...Array.from(noise(256 * 64 * 4), (byte) => byte / 51_200))),
  ];
  let last = 0;
  const add = (op: string, inputs: readonly string[], attributes = {}): string => {
    last += 1;
    nodes.push(node(op, inputs, [`v${last}`], attributes));
    return `v${last}`;
  };
  const matmul = (x: string, from: number, to: number): string => {
    last += 1;
    const id = `m${last}`;
    weights.push(weight(`${id}w`, types.uint8, [from, to], noise(from * to)));
    nodes.push(node('DynamicQuantizeLinear', [x], [`${id}q`, `${id}s`, `${id}z`]));
    const whole = add('MatMulInteger', [`${id}q`, `${id}w`, `${id}z`, 'zero']);
    return add('Mul', [add('Cast', [whole], { to: types.float }), add('Mul', [`${id}s`, 'scale'])]);
  };
  const swish = (x: string): string => add('Mul', [x, add('Sigmoid', [x])]);
  const norm = (x: string): string => add('LayerNormalization', [x, 'ln1', 'ln0'], { axis: -1 });

  const steps = add('Conv', ['features', 'conv'], { kernel_shape: [4], strides: [4], pads: [0, 3] });
  let x = matmul(add('Transpose', [steps], { perm: [0, 2, 1] }), 256, width);
  for (let layer = 0; layer < layers; layer += 1) {
    const half = (h: string): string =>
      add('Add', [h, matmul(swish(matmul(norm(h), width, width * 4)), width * 4, width)]);
    x = half(x);
    const h = norm(x);
    const part = (): string =>
      add('Transpose', [add('Reshape', [matmul(h, width, width), 'split'])], { perm: [0, 2, 1, 3] });
    const q = part();
    const k = add('Transpose', [part()], { perm: [0, 1, 3, 2] });
    const seen = add('MatMul', [add('Softmax', [add('MatMul', [q, k])], { axis: -1 }), part()]);
    const joined = add('Reshape', [add('Transpose', [seen], { perm: [0, 2, 1, 3] }), 'whole']);
    x = add('Add', [x, matmul(joined, width, width)]);
    x = add('Add', [x, matmul(swish(matmul(norm(x), width, width * 2)), width * 2, width)]);
    x = half(x);
  }
  nodes.push(node('LogSoftmax', [matmul(norm(x), width, classes)], ['log_probs'], { axis: -1 }));
  writeFileSync(
    join(folder, 'conformer.onnx'),
    model({
      nodes,
      weights,
      inputs: [value('features', types.float, ['b', 64, 't']), value('feature_lengths', types.int64, ['b'])],
      outputs: [value('log_probs', types.float, ['b', 't4', classes])],
    }),
  );
  const letters = Array.from({ length: classes - 1 }, (_, at) => String.fromCodePoint((at < 26 ? 97 : 1046) + at));
  const lines = [...letters, '<blk>'].map((token, at) => `${token} ${at}\n`);
  writeFileSync(join(folder, 'vocabulary.txt'), lines.join(''));
}
