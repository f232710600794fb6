export { ShortcutSheet } from './shortcut-sheet.tsx';
