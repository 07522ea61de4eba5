// The screens of this section, which load together.
export { NewPromptScreen } from './new-prompt-screen.tsx';
export { NewVersionScreen } from './new-version-screen.tsx';
