import { JsonInput } from '@mantine/core';
import { parseObject } from '../../try-it/json-object.ts';
import type { Edited } from '../content.ts';
import { toolsOf } from './values.ts';

const isObject = (text: string): boolean => parseObject(text) !== undefined;

const OBJECT = { isValid: isObject, problem: 'Enter a JSON object.', rows: 2 } as const;

const FIELDS = [
  {
    ...OBJECT,
    field: 'config',
    label: 'Configuration',
    description: 'A JSON object of parameters for the model.',
    placeholder: '{"temperature": 0.2, "maxOutputTokens": 800}',
  },
  {
    ...OBJECT,
    field: 'schema',
    label: 'Output schema',
    description: 'The JSON schema of what the model should reply with.',
    placeholder: '{"type": "object", "properties": {}}',
  },
  {
    field: 'tools',
    label: 'Tools',
    description: 'A JSON array of the tools that applications offer to the model.',
    placeholder: '[{"name": "lookup", "description": "…", "inputSchema": {}}]',
    isValid: (text: string) => toolsOf(text) !== undefined,
    problem: 'Enter a JSON array of tools: a name, and optionally a description and an inputSchema.',
    rows: 2,
  },
  {
    ...OBJECT,
    field: 'metadata',
    label: 'Metadata',
    description: 'A JSON object that applications receive with the text.',
    placeholder: '{"owner": "support"}',
    rows: 3,
  },
] as const;

interface JsonFieldsProps {
  readonly content: Edited;
  readonly onChange: (change: Partial<Edited>) => void;
}

/** The fields of a version that are written as JSON. */
export const JsonFields = ({ content, onChange }: JsonFieldsProps) =>
  FIELDS.map(({ field, label, description, placeholder, isValid, problem, rows }) => (
    <JsonInput
      key={field}
      label={label}
      description={description}
      placeholder={placeholder}
      value={content[field]}
      onChange={(text) => onChange({ [field]: text })}
      error={!isValid(content[field]) && problem}
      minRows={rows}
      maxRows={14}
    />
  ));
