export { WelcomeScreen } from './welcome-screen.tsx';
