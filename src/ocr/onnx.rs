//! The part of the ONNX file format that the PaddleOCR models use, as protobuf messages.
//!
//! Declared by hand because `prost` drops what it does not know: every field that occurs in the source
//! models is here, and a test in [`super::models`] proves it by writing both models back byte for byte.
//! Field numbers are those of `onnx.proto` (ONNX IR version 3 and later). Reading and writing only; what is
//! changed in the graphs is in [`super::graph`].

use prost::{Enumeration, Message};

#[expect(clippy::struct_field_names, reason = "the field names of the format")]
#[derive(Clone, PartialEq, Message)]
pub struct Model {
    /// Version of the file format.
    #[prost(int64, optional, tag = "1")]
    pub ir_version: Option<i64>,
    /// Program that wrote the file.
    #[prost(string, optional, tag = "2")]
    pub producer_name: Option<String>,
    #[prost(string, optional, tag = "3")]
    pub producer_version: Option<String>,
    /// Reverse domain name of the model's owner.
    #[prost(string, optional, tag = "4")]
    pub domain: Option<String>,
    #[prost(int64, optional, tag = "5")]
    pub model_version: Option<i64>,
    #[prost(string, optional, tag = "6")]
    pub doc_string: Option<String>,
    #[prost(message, optional, tag = "7")]
    pub graph: Option<Graph>,
    /// Operator sets the graph relies on.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSet>,
    #[prost(message, repeated, tag = "14")]
    pub metadata: Vec<Property>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Property {
    #[prost(string, optional, tag = "1")]
    pub key: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub value: Option<String>,
}

/// An operator set and its version.
#[derive(Clone, PartialEq, Message)]
pub struct OperatorSet {
    /// Empty for the standard operators.
    #[prost(string, optional, tag = "1")]
    pub domain: Option<String>,
    #[prost(int64, optional, tag = "2")]
    pub version: Option<i64>,
}

/// Operators in topological order, and their constants.
#[derive(Clone, PartialEq, Message)]
pub struct Graph {
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<Node>,
    #[prost(string, optional, tag = "2")]
    pub name: Option<String>,
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<Tensor>,
    #[prost(string, optional, tag = "10")]
    pub doc_string: Option<String>,
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfo>,
    /// Shapes of values in between.
    #[prost(message, repeated, tag = "13")]
    pub value_info: Vec<ValueInfo>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Node {
    /// Names of the values read.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// Names of the values written.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    #[prost(string, optional, tag = "3")]
    pub name: Option<String>,
    /// Operator, for example `Conv`.
    #[prost(string, optional, tag = "4")]
    pub op_type: Option<String>,
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<Attribute>,
    #[prost(string, optional, tag = "6")]
    pub doc_string: Option<String>,
    /// Operator set; empty for the standard one.
    #[prost(string, optional, tag = "7")]
    pub domain: Option<String>,
}

/// A parameter of an operator.
#[derive(Clone, PartialEq, Message)]
pub struct Attribute {
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    #[prost(float, optional, tag = "2")]
    pub f: Option<f32>,
    #[prost(int64, optional, tag = "3")]
    pub i: Option<i64>,
    #[prost(bytes = "vec", optional, tag = "4")]
    pub s: Option<Vec<u8>>,
    #[prost(message, optional, tag = "5")]
    pub t: Option<Tensor>,
    #[prost(float, repeated, packed = "false", tag = "7")]
    pub floats: Vec<f32>,
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub ints: Vec<i64>,
    #[prost(bytes = "vec", repeated, tag = "9")]
    pub strings: Vec<Vec<u8>>,
    #[prost(string, optional, tag = "13")]
    pub doc_string: Option<String>,
    /// Which of the values counts.
    #[prost(enumeration = "AttributeType", optional, tag = "20")]
    pub r#type: Option<i32>,
}

/// Which field of an [`Attribute`] holds its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
#[repr(i32)]
pub enum AttributeType {
    /// None.
    Undefined = 0,
    /// `f`.
    Float = 1,
    /// `i`.
    Int = 2,
    /// `s`.
    String = 3,
    /// `t`.
    Tensor = 4,
    /// `floats`.
    Floats = 6,
    /// `ints`.
    Ints = 7,
    /// `strings`.
    Strings = 8,
}

#[derive(Clone, PartialEq, Message)]
pub struct Tensor {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub dims: Vec<i64>,
    /// Element type; 1 is a 32-bit float.
    #[prost(int32, optional, tag = "2")]
    pub data_type: Option<i32>,
    /// Elements, when they are floats and not in `raw_data`.
    #[prost(float, repeated, packed = "true", tag = "4")]
    pub float_data: Vec<f32>,
    /// Elements, when they are 32-bit integers and not in `raw_data`.
    #[prost(int32, repeated, packed = "true", tag = "5")]
    pub int32_data: Vec<i32>,
    /// Elements, when they are 64-bit integers and not in `raw_data`.
    #[prost(int64, repeated, packed = "true", tag = "7")]
    pub int64_data: Vec<i64>,
    #[prost(string, optional, tag = "8")]
    pub name: Option<String>,
    /// Elements in little-endian order.
    #[prost(bytes = "vec", optional, tag = "9")]
    pub raw_data: Option<Vec<u8>>,
}

/// A named value and its type.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfo {
    #[prost(string, optional, tag = "1")]
    pub name: Option<String>,
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<ValueType>,
    #[prost(string, optional, tag = "3")]
    pub doc_string: Option<String>,
}

/// The type of a value; only tensors occur.
#[derive(Clone, PartialEq, Message)]
pub struct ValueType {
    #[prost(message, optional, tag = "1")]
    pub tensor: Option<TensorType>,
}

/// Element type and shape of a tensor value.
#[derive(Clone, PartialEq, Message)]
pub struct TensorType {
    /// Element type; 1 is a 32-bit float.
    #[prost(int32, optional, tag = "1")]
    pub elem_type: Option<i32>,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<Shape>,
}

/// The dimensions of a tensor value.
#[derive(Clone, PartialEq, Message)]
pub struct Shape {
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<Dim>,
}

/// One dimension: a number or a name.
#[derive(Clone, PartialEq, Message)]
pub struct Dim {
    #[prost(int64, optional, tag = "1")]
    pub value: Option<i64>,
    /// Name of a size that is free.
    #[prost(string, optional, tag = "2")]
    pub param: Option<String>,
}
