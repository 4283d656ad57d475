// Package presets keeps the values that blocks and new entries can begin with.
//
// Words:
//   - preset: values with a name and an optional picture.
//   - block preset: a preset of one type of blocks in one field of a model.
//   - template: a preset of all fields of a model, for new entries.
//
// What always holds:
//   - A preset belongs to a model by the model's id: a new model of the same slug starts without any.
//   - The names of the presets of a model are unique.
//   - Values are kept as they were saved, and read with the names that the model's fields have now. The caller fits
//     them to the fields when they are used.
package presets
