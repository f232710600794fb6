export { useChooseMode } from './model/use-choose-mode.ts';
export { useConnectionForm } from './model/use-connection-form.ts';
export { ConnectionForm } from './ui/connection-form.tsx';
export { PracticeState } from './ui/practice-state.tsx';
export { WelcomeScreen } from './welcome-screen.tsx';
