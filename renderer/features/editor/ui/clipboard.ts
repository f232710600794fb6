import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { textOfParts, type SelectedPart } from '../model/block-selection.ts';

/** The texts of copied segments without the names of their speakers, which only other programs are told. */
const partsType = 'application/x-ovoz-segments';

/** Redacted words are masked in both. */
export function copyParts(
  { clipboardData }: ClipboardEvent,
  parts: readonly SelectedPart[],
  nameOf: (segment: Segment) => string | null,
): void {
  clipboardData?.setData('text/plain', textOfParts(parts, nameOf));
  clipboardData?.setData(partsType, JSON.stringify(parts.map((part) => textOfParts([part], () => null))));
}

/** The segments that were copied here, one text for each; none from another program. */
export function copiedParts({ clipboardData }: ClipboardEvent): readonly string[] {
  try {
    const copied: unknown = JSON.parse(clipboardData?.getData(partsType) ?? '');
    return Array.isArray(copied) ? copied.filter((one) => typeof one === 'string') : [];
  } catch {
    // Nothing of ours.
    return [];
  }
}

/** What is pasted, as one text. */
export function pastedText(event: ClipboardEvent): string {
  const copied = copiedParts(event);
  return copied.length > 0 ? copied.join(' ') : (event.clipboardData?.getData('text/plain') ?? '');
}
