import type { DragEvent } from 'react';
import type { ListedItem } from './library-view.ts';

/** Told by the type, because what is dragged can't be read before it is dropped. */
const itemType = 'application/x-ovoz-library-items';
let dragged: readonly ListedItem[] = [];

export function startItemDrag({ dataTransfer }: DragEvent, items: readonly ListedItem[]): void {
  dragged = items;
  dataTransfer.effectAllowed = 'move';
  dataTransfer.setData(itemType, String(items.length));
}

export const isItemDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(itemType);

/** The things that are dropped; none when something else is. */
export const draggedItems = (event: DragEvent): readonly ListedItem[] => (isItemDrag(event) ? dragged : []);
