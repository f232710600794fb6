import type { DragEvent } from 'react';
import type { ListedItem } from './library-view.ts';

/** A media type of our own, because the dragged data can't be read before the drop. */
const itemType = 'application/x-ovoz-library-items';
let dragged: readonly ListedItem[] = [];

export function startItemDrag({ dataTransfer }: DragEvent, items: readonly ListedItem[]): void {
  dragged = items;
  dataTransfer.effectAllowed = 'move';
  dataTransfer.setData(itemType, String(items.length));
}

export const isItemDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(itemType);

export const draggedItems = (event: DragEvent): readonly ListedItem[] => (isItemDrag(event) ? dragged : []);
