import { extname } from "node:path";
import {
  anything,
  integer,
  type JsonObject,
  list,
  object,
  oneOf,
  type PayloadOf,
  required,
  text,
  texts,
} from "../../../../engine/events/schema.ts";

export const modelFormats = ["onnx", "joblib"] as const;
export type ModelFormat = (typeof modelFormats)[number];

export const modelFields = {
  model_path: required(text("The model's file: .onnx, or .joblib (.pkl, .pickle) of scikit-learn.")),
  format: oneOf(modelFormats, "What the file is; otherwise its name tells."),
  features: anything(
    "Fields of a record in the order the model takes them, as a list; for several inputs an object, each with its list, or with the name of one field that holds an array. `a.b` is field b of a.",
  ),
  vector_field: text("One field that holds all features as an array, instead of `features`."),
  missing: oneOf(
    ["error", "default", "nan"],
    "A feature that is absent, null or of no known category: the record fails (default), gets the value of `defaults`, or NaN.",
  ),
  defaults: object("Values for `missing: default`, by feature; 0, or an empty text, for those not named."),
  categories: object("By feature, its texts in the order of the numbers they stand for, from 0."),
  outputs: texts("Outputs of an ONNX model to keep; otherwise all."),
  label_output: text("The ONNX output that is the class; otherwise the first of whole numbers or texts."),
  score_output: text(
    "The ONNX output with the probabilities, or the value; otherwise the first of fractions.",
  ),
  task: oneOf(["classification", "regression"], "What the model does; otherwise its outputs tell."),
  label_field: text("The field with the true answer: metrics are made with it."),
  classes: list(
    "The classes in the order of the model's probabilities; otherwise the model's own, or counted from 0.",
  ),
  positive_class: anything("Which of two classes counts as positive; otherwise the second."),
  threads: integer(
    "Threads of each worker; 1 unless said, since there are as many workers as are asked for.",
  ),
  python: text("The Python that has scikit-learn; otherwise python3."),
} as const;

export type ModelConfig = PayloadOf<typeof modelFields>;

export type ConfigProblem = { readonly option: string; readonly expected: string } | null;

/** What the types of the fields do not tell. */
export function checkModelConfig(given: JsonObject): ConfigProblem {
  const config = given as ModelConfig;
  const wrong = (option: string, expected: string) => ({ option, expected });
  if (config.model_path.trim() === "" || config.model_path.includes("\0"))
    return wrong("model_path", "the path of a file");
  if (formatOf(config) === null)
    return wrong("format", "onnx or joblib, since the file's name does not tell");
  if (config.features !== undefined && config.vector_field !== undefined)
    return wrong("vector_field", "either this or features");
  if (!isFeatures(config.features))
    return wrong("features", "a list of names, or an object of such lists and of names");
  if (!Object.values(config.categories ?? {}).every(isTexts))
    return wrong("categories", "a list of texts for each feature");
  if ((config.classes ?? []).some((one) => !["string", "number", "boolean"].includes(typeof one)))
    return wrong("classes", "texts, numbers, true or false");
  if (config.classes !== undefined && new Set(config.classes.map(String)).size < 2)
    return wrong("classes", "two or more, all different");
  const { threads = 1 } = config;
  return threads >= 1 && threads <= 64 ? null : wrong("threads", "1 to 64");
}

/** Null when neither the configuration nor the file's name tells. */
export function formatOf({ format, model_path }: ModelConfig): ModelFormat | null {
  if (format !== undefined) return format;
  const extension = extname(model_path).toLowerCase();
  if (extension === ".onnx") return "onnx";
  return [".joblib", ".pkl", ".pickle", ".sav"].includes(extension) ? "joblib" : null;
}

function isFeatures(value: unknown): boolean {
  if (value === undefined || isTexts(value)) return true;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one === "string" || isTexts(one));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}
