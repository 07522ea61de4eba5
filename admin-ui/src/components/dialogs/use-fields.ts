import { type ChangeEvent, useState } from 'react';

type Names<Values, Type> = { [Name in keyof Values]: Values[Name] extends Type ? Name : never }[keyof Values];

/** The values of a form, and what connects its fields to them. */
export const useFields = <Values extends object>(initial: Values) => {
  const [start] = useState(initial);
  const [values, setValues] = useState(initial);
  const set = (change: Partial<Values>): void => setValues((now) => ({ ...now, ...change }));
  /** For a field whose text is the value. */
  const text = (name: Names<Values, string>) => ({
    value: values[name] as string,
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      set({ [name]: value } as Partial<Values>),
  });
  /** For a field that reports its value. */
  const field = <Name extends keyof Values>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
  });
  /** For a check box or a switch. */
  const check = (name: Names<Values, boolean>) => ({
    checked: values[name] as boolean,
    onChange: ({ currentTarget: { checked } }: ChangeEvent<HTMLInputElement>) =>
      set({ [name]: checked } as Partial<Values>),
  });
  const isChanged = Object.keys(start).some(
    (name) => start[name as keyof Values] !== values[name as keyof Values],
  );
  return { values, set, text, field, check, isChanged };
};
