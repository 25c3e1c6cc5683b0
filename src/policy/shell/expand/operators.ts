import { hasUnknown, marks } from "../marks.ts";

/** `${name…}` with its operator applied; the argument is expanded already. */
export function applyOperator(value: string, operator: string, argument: string, isSet: boolean): string {
  switch (operator) {
    case ":-":
    case "-":
    case ":=":
    case "=":
      // Whether it is set outside this line cannot be known: what is given here is one of two.
      return isSet && (value !== "" || !operator.startsWith(":"))
        ? value
        : isSet
          ? argument
          : either(value, argument);
    case ":+":
    case "+":
      return isSet && value === "" && operator === ":+" ? "" : argument;
    case ":?":
    case "?":
      return value;
    case ":":
      return substring(value, argument);
    case "#":
    case "##":
      if (hasUnknown(value) || !isLiteral(argument)) return marks.unknown;
      return value.startsWith(argument) ? value.slice(argument.length) : value;
    case "%":
    case "%%":
      if (hasUnknown(value) || !isLiteral(argument)) return marks.unknown;
      return value.endsWith(argument) ? value.slice(0, value.length - argument.length) : value;
    case "/":
    case "//": {
      const [pattern = "", replacement = ""] = argument.split("/");
      if (hasUnknown(value) || !isLiteral(pattern) || pattern === "") return marks.unknown;
      return operator === "/"
        ? value.replace(pattern, () => replacement)
        : value.replaceAll(pattern, () => replacement);
    }
    case "^^":
      return value.toUpperCase();
    case ",,":
      return value.toLowerCase();
    default:
      return marks.unknown;
  }
}

/** A default is what counts when nothing is known of the variable: it is what the author expects. */
function either(value: string, argument: string): string {
  return hasUnknown(value) || value === "" ? argument : value;
}

function isLiteral(text: string): boolean {
  return !/[*?[\uE000-\uE002]/.test(text);
}

function substring(value: string, argument: string): string {
  const [, from, , length] = /^\s*(-?\d{1,6})(\s*:\s*(-?\d{1,6}))?\s*$/.exec(argument) ?? [];
  if (hasUnknown(value) || from === undefined) return marks.unknown;
  const start = Number(from) < 0 ? value.length + Number(from) : Number(from);
  if (length === undefined) return value.slice(start);
  return value.slice(start, Number(length) < 0 ? value.length + Number(length) : start + Number(length));
}
