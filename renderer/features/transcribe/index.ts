export { TranscribeScreen } from './transcribe-screen.tsx';
