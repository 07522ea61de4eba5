import type { JsonObject } from '../fields/patterns.ts';

/** The roles of messages, in the order in which editors offer them. */
export const ROLES = ['system', 'developer', 'user', 'assistant'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a message instructs the model, and is not part of the conversation. */
export const isInstruction = (message: object): boolean =>
  'role' in message && (message.role === 'system' || message.role === 'developer');

/** A message with a template as its content. */
export interface TextMessage {
  readonly role: Role;
  readonly content: string;
}

/** Stands for a list of messages that the application has, such as the conversation so far. */
export interface MessagesPlaceholder {
  readonly type: 'placeholder';
  readonly name: string;
  /** Whether the application may omit the list. @default false */
  readonly optional?: boolean | undefined;
}

export type Message = TextMessage | MessagesPlaceholder;

/** The types that a variable can have. */
export const VARIABLE_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

/** What the author of a prompt says about a variable. A variable without a default is required. */
export interface VariableDeclaration {
  readonly type: VariableType;
  readonly description?: string | undefined;
  /** The values that the variable can have. */
  readonly enum?: readonly unknown[] | undefined;
  readonly default?: unknown;
}

/** Declarations by the names of the variables. */
export type Variables = { readonly [name: string]: VariableDeclaration };

/** A tool that an application offers to the model. */
export interface Tool {
  readonly name: string;
  readonly description?: string | undefined;
  /** A JSON schema of the tool's input. */
  readonly inputSchema?: JsonObject | undefined;
}

/** What both types of prompts have. Everything but `variables` and `includes` is stored and returned, never interpreted. */
export interface ContentFields {
  readonly variables?: Variables | undefined;
  /** The model to call. */
  readonly model?: string | undefined;
  /** Parameters for the model. */
  readonly config?: JsonObject | undefined;
  /** What the model is to reply with. */
  readonly output?: { readonly schema?: JsonObject | undefined } | undefined;
  /** The tools to offer to the model. */
  readonly tools?: readonly Tool[] | undefined;
  /** Fragments that the templates include: `name@version` of text prompts. */
  readonly includes?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metaProperties?: JsonObject | undefined;
}

/** The content of a version of a text prompt, as its author wrote it. */
export interface TextContent extends ContentFields {
  readonly type?: 'text' | undefined;
  readonly prompt: string;
}

/** The content of a version of a chat prompt, as its author wrote it. */
export interface ChatContent extends ContentFields {
  readonly type: 'chat';
  readonly messages: readonly Message[];
}

export type Content = TextContent | ChatContent;
