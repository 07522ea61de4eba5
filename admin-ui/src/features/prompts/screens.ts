// The screens of this section, which load together.

export { DeletedPromptsScreen } from './deleted-prompts.tsx';
export { PromptsScreen } from './list/prompts-screen.tsx';
export { LiveScreen } from './live/live-screen.tsx';
export { PromptScreen } from './prompt-screen.tsx';
export { UsageScreen } from './usage/usage-screen.tsx';
export { CompareScreen } from './versions/compare-screen.tsx';
